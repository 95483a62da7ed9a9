"""Which facts hold: slots, their histories, and what overturns what."""
