"""Measurements on pools of messages with questions; figures are printed, never asserted."""
