"""Taking in: messages to turns, one durable change."""
