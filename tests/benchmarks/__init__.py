"""Measurements on pools of conversations with questions; never timed as tests."""
