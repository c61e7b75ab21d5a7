"""Lets `python -m solver` run the command line."""

from solver.cli import main

main()
