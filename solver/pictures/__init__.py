"""Pictures of positions and strategies.

Takes games, positions and values; returns drawings, as SVG or PNG. Each picture has a file
with a `draw_` function, which returns a Drawing made of `shapes`; `svg` writes it, as SVG or
PNG. Read `shapes.py` first, then `position.py`.
"""
