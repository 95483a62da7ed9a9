"""Staying healthy: forget, edit, export, health."""
