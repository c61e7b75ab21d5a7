"""A class in place of an instance."""


class move:  # noqa: N801
    def __init__(self, rows, side):
        self.rows = rows

    def __call__(self, rows, side):
        return 0, 0
