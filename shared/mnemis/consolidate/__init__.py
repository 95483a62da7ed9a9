"""Making knowledge of turns: episodes, facts, entities, categories."""
