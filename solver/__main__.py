"""Lets `python -m solver` run the command line."""

from .cli import main

main()
