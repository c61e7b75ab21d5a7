"""Would have to be awaited."""


async def move(rows, side):
    return 0, 0
