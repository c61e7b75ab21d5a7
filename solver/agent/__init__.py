"""Answers from a table."""
