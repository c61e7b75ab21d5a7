"""Ends while it is imported."""

import sys

sys.exit("run me with python")
