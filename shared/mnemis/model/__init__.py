"""The nouns: frozen values that every layer shares."""
