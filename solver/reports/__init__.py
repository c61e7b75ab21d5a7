"""Results as people and other programs read them: takes grades, matches and reports on games.

Returns text for a terminal, web pages that need no other file, CSV and JSON. Read `grade_text.py`
first; `html.py` has the frame of every page. Nothing here computes a result: `solver.arena` does.
"""
