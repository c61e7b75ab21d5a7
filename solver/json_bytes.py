"""JSON as bytes: written by orjson, and where that is missing, the same bytes in plain Python.

No package index has orjson for WebAssembly. Like orjson, `plain_dumps` takes dicts with texts as
keys, lists, tuples, texts, numbers, booleans and None, and raises TypeError for all else: for
integers beyond 64 bits and for lone surrogates, which are not UTF-8, as well.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from json.encoder import encode_basestring
from math import isfinite
from typing import Any

INTEGERS = range(-(1 << 63), 1 << 64)


def plain_data(value: Any, leaf: Callable[[Any], Any] = lambda value: value) -> Any:
    """Return a value with its named tuples as dicts; `leaf` converts what has no parts."""
    if hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, dict):
        return {name: plain_data(part, leaf) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain_data(part, leaf) for part in value]
    return leaf(value)


def plain_dumps(value: Any) -> bytes:
    """Return a value as JSON, in the bytes of orjson; raises TypeError."""
    try:
        return _text(value).encode()
    except UnicodeEncodeError as error:
        raise TypeError("str is not valid UTF-8: surrogates not allowed") from error


def _text(value: Any) -> str:
    if isinstance(value, Enum):
        value = value.value
    if isinstance(value, str):
        return encode_basestring(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int | float):
        return _number(value)
    if isinstance(value, list) or type(value) is tuple:
        return f"[{','.join(map(_text, value))}]"
    if isinstance(value, dict):
        if not all(isinstance(key, str) for key in value):
            raise TypeError("Dict key must be str")
        return f"{{{','.join(f'{encode_basestring(k)}:{_text(v)}' for k, v in value.items())}}}"
    raise TypeError(f"Type is not JSON serializable: {type(value).__name__}")


def _number(value: float) -> str:
    """Return a number with the fewest digits that are read back as it; raises TypeError."""
    if isinstance(value, int):
        if value not in INTEGERS:
            raise TypeError("Integer exceeds 64-bit range")
        return str(value)
    if not isfinite(value):
        return "null"
    digits, mark, power = repr(value).partition("e")
    if power == "-05":
        sign, digits = ("-" if value < 0 else ""), digits.strip("-").replace(".", "")
        return f"{sign}0.0000{digits}"
    return f"{digits}e{int(power):+}" if mark else digits


try:
    import orjson
except ImportError:
    dumps: Callable[[Any], bytes] = plain_dumps
else:
    dumps = orjson.dumps
