"""Tables of solved games, in two forms: JSON with everything written out, and a mapped file.

Takes a table's file, or the counts and values of a solved game; returns the values of positions,
one or many at once, and exports and statistics of whole tables. Read `open` first, then
`json_table` or, with the description of the file in `mapped_file`, `mapped_table`.
"""
