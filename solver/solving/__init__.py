"""From rules to a table."""
