"""What compiled rules call in place of Python's operators and functions, which numba changes.

Numbers have 64 bits: what would take more raises OverflowError. Types tell lists from tuples, which
are never equal: a constant list is a named tuple (see `listed`), and a tuple whose size is known
only at run time is a list that nobody changes (see `TupleType`). What is called with types that are
not known here is not compiled. Needs the extra `fast`.
"""

# mypy: ignore-errors
# pyright: basic, reportCallIssue=false, reportArgumentType=false, reportOperatorIssue=false
# ruff: noqa: PLR0911, PLW0108, PYI024, SIM110 -- numba has no other way

from __future__ import annotations

from collections import namedtuple
from functools import cache

from numba import njit, types
from numba.core.imputils import impl_ret_borrowed
from numba.extending import intrinsic, models, overload, register_model

from solver.compiling.texts import TextType, parts, text_maker
from solver.loops import count_bits

OPEN = 2  # stands for an outcome where the game is not over
EVEN = types.List | types.UniTuple | types.NamedUniTuple
NUMBERS = types.Integer, types.Boolean, types.IntEnumMember
INT = types.int64


class TupleType(types.List):
    """The type of tuples of unknown size."""

    def __init__(self, dtype):
        super().__init__(dtype)
        self.name = f"tuple({self.dtype}, ...)"

    def unify(self, context, other):
        return None

    def __unliteral__(self):
        return self


register_model(TupleType)(models.ListModel)


@cache
def listed(size):
    """Return the class of constant lists of this size."""
    return namedtuple(f"List{size}", [f"item{i}" for i in range(size)])


def is_number(*kinds):
    """Return whether values of these types are numbers, or None where that raises TypeError."""
    return all(isinstance(getattr(kind, "type", kind), NUMBERS) for kind in kinds)


def kind_of(kind):
    """Return which of Python's types a numba type stands for; None if that is not known."""
    if isinstance(kind, NUMBERS):
        return int
    if isinstance(kind, TextType):
        return str
    if type(kind) is types.List or isinstance(kind, types.BaseNamedTuple):
        return list
    return tuple if isinstance(kind, TupleType | types.BaseTuple) else None


def _has_one_type(*kinds):
    """Return whether these are sequences whose items are of one type, which loops can run over."""
    return all(isinstance(kind, EVEN) for kind in kinds)


def operation(choose):
    """Return a function of compiled rules, for which `choose` returns the code for some types."""

    def stub(*values):
        raise NotImplementedError

    stub.__name__ = stub.__qualname__ = choose.__name__
    overload(stub, jit_options={"no_cpython_wrapper": True, "no_cfunc_wrapper": True})(choose)
    return stub


def _same(context, builder, signature, arguments):
    return impl_ret_borrowed(context, builder, signature.return_type, arguments[0])


def numeric(code):
    """Return a function of compiled rules that takes two numbers and has this code."""

    def choose(a, b):
        return code if is_number(a, b) else None

    choose.__name__ = code.__name__
    return operation(choose)


@intrinsic
def frozen(_, values):
    """Return a list that nobody else has as a tuple."""
    if type(values) is types.List:
        return TupleType(values.dtype)(values), _same


@intrinsic
def whole(_, value):
    """Return a number as an int; raises TypeError if it is None."""
    if is_number(value):
        return INT(INT), lambda context, builder, signature, arguments: arguments[0]


@intrinsic
def given(_, value):
    """Return a value that may be None and is not."""
    return value.type(value.type), _same


def _checked(name):
    """Return a function of two numbers that raises OverflowError."""

    @intrinsic
    def compute(_, a, b):
        def build(context, builder, _, arguments):
            pair = getattr(builder, f"{name}_with_overflow")(*arguments)
            with builder.if_then(builder.extract_value(pair, 1), likely=False):
                message = "a number has more than 64 bits"
                context.call_conv.return_user_exc(builder, OverflowError, (message,))
            return builder.extract_value(pair, 0)

        return INT(INT, INT), build

    return compute


_sum, _difference, _product = map(_checked, ("sadd", "ssub", "smul"))


@operation
def plus(a, b):
    """Return a + b."""
    kind = kind_of(a)
    if is_number(a, b):
        return lambda a, b: _sum(a, b)
    if kind is str and kind_of(b) is str:
        return lambda a, b: a + b
    if kind is None or kind is not kind_of(b):
        return None
    if kind is list:
        return lambda a, b: list(a) + list(b)
    if isinstance(a, types.BaseTuple) and isinstance(b, types.BaseTuple):
        return lambda a, b: a + b
    return lambda a, b: frozen(list(a) + list(b))


@operation
def added(a, b):
    """Return what a is after a += b, unless it is a list, which others may have, too."""
    if type(a) is not types.List:
        return lambda a, b: plus(a, b)


@numeric
def minus(a, b):
    """Return a - b."""
    return _difference(a, b)


@operation
def times(a, b):
    """Return a * b."""
    if is_number(a, b):
        return lambda a, b: _product(a, b)
    if is_number(a):
        return lambda a, b: times(b, a)
    kind = kind_of(a) if is_number(b) else None
    if kind is list:
        return lambda a, b: list(a) * max(0, whole(b))
    if kind is tuple:
        return lambda a, b: frozen(list(a) * max(0, whole(b)))
    if kind is str:
        return lambda a, b: join([a] * max(0, whole(b)))


@numeric
def over(a, b):
    """Return a // b."""  # the processor cannot divide the least number by -1
    return _difference(0, a) if whole(b) == -1 else whole(a) // whole(b)


@numeric
def modulo(a, b):
    """Return a % b."""
    return 0 if whole(b) == -1 else whole(a) % whole(b)


@numeric
def divided(a, b):
    """Return divmod(a, b)."""
    return over(a, b), modulo(a, b)


@numeric
def shifted(a, b):
    """Return a << b."""
    number, count = whole(a), whole(b)
    if not 0 <= count <= 62 or number << count >> count != number:
        raise OverflowError("a shift is too large for compiled rules")
    return number << count


@numeric
def shifted_back(a, b):
    """Return a >> b."""
    if whole(b) < 0:
        raise ValueError("negative shift count")
    return whole(a) >> min(whole(b), 63)


@operation
def equal(a, b):
    """Return whether a == b."""
    if isinstance(a, types.NoneType):
        return lambda a, b: b is None
    if isinstance(a, types.Optional):
        return lambda a, b: b is None if a is None else equal(given(a), b)
    if isinstance(b, types.Optional | types.NoneType):
        return lambda a, b: equal(b, a)
    kind = kind_of(a)
    if kind is None or kind_of(b) is None:
        return None
    if kind is not kind_of(b):
        return lambda a, b: False
    if kind is int:
        return lambda a, b: whole(a) == whole(b)
    if kind is str:
        return lambda a, b: parts(a) == parts(b)
    if types.Tuple(()) in (a, b):
        return lambda a, b: len(a) == len(b)
    if _has_one_type(a, b):

        def same(a, b):
            if len(a) != len(b):
                return False
            for i in range(len(a)):
                if not equal(a[i], b[i]):
                    return False
            return True

        return same
    if isinstance(a, types.BaseTuple) and isinstance(b, types.BaseTuple):
        pairs = [f"equal(a[{i}], b[{i}])" for i in range(len(a))]
        return eval(f"lambda a, b: {' and '.join(pairs) if len(a) == len(b) else False}")


@operation
def truth(a):
    """Return bool(a)."""
    if isinstance(a, types.NoneType):
        return lambda a: False
    if isinstance(a, types.Optional):
        return lambda a: False if a is None else truth(given(a))
    if kind_of(a) is int:
        return lambda a: whole(a) != 0
    if kind_of(a):
        return lambda a: len(a) > 0


@numeric
def less(a, b):
    """Return whether a < b."""
    return whole(a) < whole(b)


@numeric
def more(a, b):
    """Return whether a > b."""
    return whole(a) > whole(b)


@operation
def within(value, values):
    """Return whether value in values."""
    if isinstance(values, types.RangeType) and kind_of(value) is int:
        return lambda value, values: whole(value) in values
    return lambda value, values: count(values, value, True) > 0


@operation
def count(values, value, is_one=False):
    """Return values.count(value), or at most 1."""
    if kind_of(values) is str and kind_of(value) is str:

        def found(values, value, is_one=False):
            if len(value) == 0:
                return len(values) + 1
            number, i = 0, 0
            while i + len(value) <= len(values) and not (is_one and number):
                is_here = equal(values[i : i + len(value)], value)
                number += is_here
                i += len(value) if is_here else 1
            return number

        return found

    def counted(values, value, is_one=False):
        number = 0
        for item in values:  # numba has no items of a range by index
            if equal(item, value):
                number += 1
                if is_one:
                    break
        return number

    is_known = _has_one_type(values) or isinstance(values, types.Array | types.RangeType)
    return counted if is_known else None


@operation
def items(values):
    """Return what is run over once: the characters of a text, or the values themselves."""
    if kind_of(values) is not str:
        return lambda values: values

    def characters(values):
        for i in range(len(values)):
            yield values[i]

    return characters


@operation
def join(values):
    """Return the text of some texts."""
    if kind_of(values) is str:
        return lambda values: values
    if not _has_one_type(values) or not isinstance(values.dtype, TextType):
        return None
    make = text_maker(values.dtype.width)

    def joined(values):
        text = make(0, 0)
        for piece in values:
            text = text + piece
        return text

    return joined


@operation
def fixed(values, places):
    """Return a sequence as a tuple with as many items as `places`, to assign them to names."""
    if isinstance(values, types.BaseTuple):
        return lambda values, places: values
    items = "".join(f"values[{i}], " for i in range(len(places)))
    return eval(f"lambda values, places: ({items}) if len(values) == len(places) else too_many()")


@njit
def too_many():
    """Raise the error for a wrong number of values."""
    raise ValueError("another number of values is assigned")


@operation
def ordered(values):
    """Return sorted(values)."""
    return lambda values: sorted(values)


@operation
def total(values):
    """Return sum(values)."""

    def add(values):
        amount = 0
        for value in values:
            amount = plus(amount, value)
        return amount

    return add


def _extreme(is_better):
    def extreme(values):
        if len(values) == 0:
            raise ValueError("there is no value")
        best = whole(values[0])
        for value in values:
            if is_better(value, best):
                best = whole(value)
        return best

    return operation(lambda values: extreme)


least, greatest = _extreme(less), _extreme(more)


@operation
def decided(over):
    """Return what `primitive` returned, OPEN if it was None; only an outcome is compiled."""
    if isinstance(over, types.NoneType):
        return lambda over: OPEN
    if isinstance(getattr(over, "type", over), types.IntEnumMember):
        return lambda over: OPEN if over is None else whole(over)


@operation
def as_tuple(values):
    """Return a part of a position, which is a tuple."""
    if kind_of(values) is tuple:
        return lambda values: values


@njit
def digit_of(value, values):
    """Return the index of a value in an ascending array, or -1."""
    if values[0] <= value <= values[-1]:
        near = value - values[0]
        if near < len(values) and values[near] == value:  # there is no gap before it
            return near
        for i in range(len(values)):
            if values[i] == value:
                return i
    return -1


@njit
def bit_count(number):
    """Return the number of ones in the binary representation of a number's absolute value."""
    return count_bits(abs(whole(number)))
