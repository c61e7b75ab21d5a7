"""The error of rules that cannot be compiled."""


class NotCompiledError(Exception):
    """Why rules stay in plain Python, in words for their author.

    `place` is the user's file and line, or empty if the reason has none.
    """

    def __init__(self, reason: str, place: str = "") -> None:
        super().__init__(reason, place)
        self.reason, self.place = reason, place

    def __str__(self) -> str:
        return f"{self.place}: {self.reason}" if self.place else self.reason
