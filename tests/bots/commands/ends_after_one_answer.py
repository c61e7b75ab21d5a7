"""Answers one question and ends, as a program for command-once does."""

board = input().split("\t")[1]
print(board.index(".") + 1)
