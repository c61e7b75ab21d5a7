"""The texts of compiled rules.

A text is a number and a length, so that nothing is allocated: the character at index i is the code
in bits i * width to i * width + width - 1 of a number of 64 bits, where a code is the character's
index in the alphabet of a game. (Numba's own strings are slower than Python's.) Needs the extra
`fast`.
"""

# mypy: ignore-errors
# pyright: basic, reportCallIssue=false

from __future__ import annotations

import operator
from functools import cache

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, models, overload, register_model

WORD = 64  # bits of a text
ALL = 2**WORD - 1


class TextType(types.Type):
    """The type of texts whose characters take `width` bits each."""

    def __init__(self, width: int) -> None:
        self.width, self.most, self.mask = width, WORD // width, (1 << width) - 1
        super().__init__(name=f"Text({width})")


@register_model(TextType)
class TextModel(models.StructModel):
    """How LLVM sees a text."""

    def __init__(self, manager, kind):
        super().__init__(manager, kind, [("codes", types.uint64), ("size", types.int64)])


@cache
def text_maker(width: int):
    """Return the function that makes a text of its codes and its size."""
    kind = TextType(width)

    @intrinsic
    def text(_, codes, size):
        def build(context, builder, _, values):
            made = cgutils.create_struct_proxy(kind)(context, builder)
            made.codes, made.size = values
            return made._getvalue()

        return kind(types.uint64, types.int64), build

    return text


@intrinsic
def parts(_, text):
    """Return the codes and the size of a text."""

    def build(context, builder, signature, values):
        seen = cgutils.create_struct_proxy(text)(context, builder, values[0])
        return context.make_tuple(builder, signature.return_type, (seen.codes, seen.size))

    return types.Tuple((types.uint64, types.int64))(text), build


def _is_text(*kinds):
    return all(isinstance(kind, TextType) for kind in kinds)


@overload(len)
def _len(text):
    if _is_text(text):
        return lambda text: parts(text)[1]


@overload(operator.getitem)
def _getitem(text, i):
    if not _is_text(text):
        return None
    make, width, mask = text_maker(text.width), text.width, text.mask

    def item(text, i):
        codes, size = parts(text)
        if i < 0:
            i += size
        if not 0 <= i < size:
            raise IndexError("string index out of range")
        return make(codes >> types.uint64(width * i) & types.uint64(mask), 1)

    def cut(text, i):
        codes, size = parts(text)
        start, stop, _ = i.indices(size)
        if start >= stop:
            return make(0, 0)
        ones = types.uint64(ALL) >> types.uint64(WORD - width * (stop - start))
        return make(codes >> types.uint64(width * start) & ones, stop - start)

    return cut if isinstance(i, types.SliceType) else item


@overload(operator.add)
def _add(a, b):
    if not _is_text(a, b):
        return None
    make, width, most = text_maker(a.width), a.width, a.most

    def add(a, b):
        codes, size = parts(a)
        more, added = parts(b)
        if size + added > most:
            raise OverflowError("a text is too long for compiled rules")
        if added == 0:
            return a
        return make(codes | more << types.uint64(width * size), size + added)

    return add


@overload(bool)
def _bool(text):
    if _is_text(text):
        return lambda text: len(text) > 0
