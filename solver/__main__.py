"""Run the command line with `python -m solver`."""

from solver.cli import main

main()
