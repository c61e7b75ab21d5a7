"""Never answers, at full speed."""


def move(rows, side):
    while True:
        pass
