"""Converts the values of options without pydantic, whose import takes longer than most commands.

Typer from 0.29 on converts them with pydantic, through an attribute that it does not document.
Where a parameter lacks that attribute, Typer's own conversion stays in place.
"""

from __future__ import annotations

from typing import Any, NamedTuple, get_args, get_origin

import typer
from typer.core import TyperCommand

KINDS = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}


class Coercion(NamedTuple):
    """Converts the values of one parameter; takes the place of Typer's `RuntimeParam`."""

    kind: Any
    low: float | None
    """The least value; None for any, then there is no largest one either."""
    high: float | None

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return a value of the parameter's type; raises BadParameter."""
        several = param.multiple or param.nargs == -1
        if value is None:
            return () if several else None
        try:
            return [self._convert(one) for one in value] if several else self._convert(value)
        except ValueError as error:
            raise typer.BadParameter(str(error), ctx=ctx, param=param) from error

    def _convert(self, value: Any) -> Any:
        try:
            number = self.kind(value)
        except (ValueError, OverflowError):
            raise ValueError(f"{value!r:.80} is not {KINDS[self.kind]}.") from None
        low, high = self.low, self.high
        if low is not None and not (number >= low and (high is None or number <= high)):
            most = "" if high is None else f" and at most {high}"
            raise ValueError(f"{value!r:.80} must be at least {low}{most}.")
        return number


def with_plain_coercion(params: list[Any]) -> list[Any]:
    """Return a command's parameters; those that are texts, numbers or flags without pydantic."""
    for param in params:
        descriptor = getattr(param, "type_descriptor", None)
        if descriptor is None or getattr(param, "_runtime_param", param) is not None:
            continue
        kind, info = descriptor.annotation, descriptor.parameter_info
        if get_origin(kind) is list:
            kind = get_args(kind)[0]
        if kind in KINDS:
            param._runtime_param = Coercion(kind, info.min, info.max)
    return params


class PlainCommand(TyperCommand):
    """A command that converts its parameters without pydantic, and takes no option twice."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the words; raises BadParameter for an option given twice that has one value."""
        given: list[Any] = self.make_parser(ctx).parse_args(args=[*args])[2]
        for param in given:
            has_one_value = param.param_type_name == "option" and not param.multiple
            if has_one_value and not param.is_eager and given.count(param) > 1:
                raise typer.BadParameter("it is given twice.", ctx=ctx, param=param)
        return super().parse_args(ctx, args)

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters, with the option --help."""
        return with_plain_coercion(super().get_params(ctx))
