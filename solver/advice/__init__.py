"""Advice for authors of games: takes rules; returns lines about what random games show.

`doubts.py` asks whether other rules are meant, which no proof can see; `declarations.py` says what
the rules misspell, and which tier and symmetries they could declare. Nothing is changed, since
samples prove nothing.
"""
