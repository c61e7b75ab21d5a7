"""What numba would compile although it does not mean what Python means.

The types that numba infers for a function of compiled rules are looked at. A value never becomes
one of another of Python's types (only a bool an int, which it equals), each variable has been set
where it is used, and there are no floats and unsigned numbers. Needs the extra `fast`.
"""

# mypy: ignore-errors
# pyright: basic, reportArgumentType=false, reportAttributeAccessIssue=false

from __future__ import annotations

from functools import partial

from numba import njit, types
from numba.core import ir
from numba.core.analysis import compute_cfg_from_blocks
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import AnalysisPass, register_pass
from numba.core.errors import UnsupportedError
from numba.core.typed_passes import NopythonTypeInference

from solver.compiling.values import is_number, kind_of
from solver.loops import compiled as kept

OPTIONS = {"boundscheck": True, "no_cfunc_wrapper": True, "no_cpython_wrapper": True}
UNSET = "{} may be used before it is set: set it before the branch or the loop"


def keeps(kind, other):
    """Return whether values of one type mean the same once they are of another."""
    kind, other = types.unliteral(kind), types.unliteral(other)
    if isinstance(other, types.Optional):
        is_none = isinstance(kind, types.NoneType)
        return is_none or keeps(getattr(kind, "type", kind), other.type)
    if is_number(kind, other) and not isinstance(kind, types.Optional):
        return kind == other or not isinstance(other, types.Boolean)
    if kind == other or kind_of(kind) is None or kind_of(kind) is not kind_of(other):
        return kind == other
    if isinstance(kind, types.BaseTuple) and isinstance(other, types.BaseTuple):
        return len(kind) == len(other) and all(map(keeps, kind, other))
    return isinstance(kind, types.List) and kind.dtype == getattr(other, "dtype", None)


@register_pass(mutates_CFG=False, analysis_only=True)
class Strictness(AnalysisPass):
    """Refuses what changes its meaning."""

    _name = "perfectplay_strictness"

    def __init__(self):
        AnalysisPass.__init__(self)

    def run_pass(self, state):
        self.types = state.typemap
        for name, numba_type in self.types.items():
            kind = getattr(numba_type, "dtype", numba_type)
            is_unsigned = isinstance(kind, types.Integer) and not kind.signed
            if is_unsigned or isinstance(kind, types.Float):
                raise UnsupportedError(f"{name} is no int of 64 bits", state.func_ir.loc)
        blocks = state.func_ir.blocks
        dominators = compute_cfg_from_blocks(blocks).dominators()
        homes = {
            a.target.name: k for k, block in blocks.items() for a in block.find_insts(ir.Assign)
        }
        for label, block in blocks.items():
            before, here = dominators[label] - {label}, set()
            for statement in block.body:
                self.loc, value = statement.loc, getattr(statement, "value", None)
                target = statement.target if isinstance(statement, ir.Assign) else None
                if not (isinstance(value, ir.Expr) and value.op == "phi"):
                    for used in statement.list_vars():
                        name = used.name
                        is_set = name in here or homes[name] in before or name[0] == "$"
                        self._refuse_if(not is_set and used is not target, UNSET.format(name))
                if target is not None:
                    self._assigned(self.types[target.name], value)
                    here.add(target.name)
                elif isinstance(statement, ir.SetItem | ir.StaticSetItem):
                    kind = self.types[statement.target.name]
                    self._refuse_if(type(kind) is not types.List, f"{kind} cannot be changed")
                    self._stored(value, kind.dtype)
        return False

    def _refuse_if(self, is_wrong, reason):
        if is_wrong:
            raise UnsupportedError(reason, self.loc)

    def _stored(self, value, kind):
        """Refuse to store a variable as another type."""
        origin = self.types[value.name]
        self._refuse_if(not keeps(origin, kind), f"{origin} would become {kind}")

    def _assigned(self, kind, value):
        if isinstance(value, ir.Var):
            self._stored(value, kind)
        if not isinstance(value, ir.Expr):
            return
        operands = [self.types[used.name] for used in value.list_vars() if used is not ir.UNDEFINED]
        if value.op == "phi":
            for incoming in value.incoming_values:
                self._refuse_if(incoming is ir.UNDEFINED, UNSET.format("a variable"))
                self._stored(incoming, kind)
        elif value.op == "cast":
            self._stored(value.value, kind)
        elif value.op == "build_list":
            for item in value.items:
                self._stored(item, kind.dtype)
        elif value.op in ("binop", "inplace_binop", "unary"):
            if value.fn.__name__ not in ("is_", "is_not", "not_"):
                self._refuse_if(not is_number(*operands), f"{value.fn.__name__} of {operands}")
        elif value.op in ("getitem", "static_getitem"):
            is_slice = any(isinstance(operand, types.SliceType) for operand in operands)
            is_constant = isinstance(operands[0], types.BaseNamedTuple)
            self._refuse_if(is_constant and is_slice, "a slice of a constant list")
        elif value.op == "call":
            self._called(operands[0], value.args)

    def _called(self, function, arguments):
        this = getattr(function, "this", None)
        if isinstance(this, types.Array | types.List):
            name, stored = function.typing_key, self.types[arguments[0].name]
            self._refuse_if(type(this) is not types.List, f"{name} of {this}")
            stored = stored.iterator_type.yield_type if name == "list.extend" else stored
            self._refuse_if(not keeps(stored, this.dtype), f"{stored} becomes {this.dtype}")
        elif getattr(function, "typing_key", None) is bool:
            self._truth(self.types[arguments[0].name])

    def _truth(self, kind):
        inner = getattr(kind, "type", kind)
        has_truth = kind_of(inner) or isinstance(kind, types.NoneType | types.RangeType)
        self._refuse_if(not has_truth, f"whether {kind} is true")


class StrictCompiler(CompilerBase):
    """Numba's compiler, with the pass."""

    def define_pipelines(self):
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline.add_pass_after(Strictness, NopythonTypeInference)
        pipeline.finalize()
        return [pipeline]


inner, compiled = njit(**OPTIONS), njit(pipeline_class=StrictCompiler, **OPTIONS)
"""Compile the functions that this package writes, and the rules, into those that call them."""
entry = partial(kept, boundscheck=True, no_cfunc_wrapper=False)
"""Compiles the functions that Python calls, which are kept on the disk."""
