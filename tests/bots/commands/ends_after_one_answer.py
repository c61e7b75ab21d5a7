"""Answers one question and ends, where `command:` needs a loop around it."""

board = input().split("\t")[1]
print(board.index(".") + 1)
