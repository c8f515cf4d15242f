"""Small mistakes in Python code, as changes of its syntax tree."""

import ast
import pickle
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

SWAPS = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
COMPARISONS = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
TWINS = [
    ("sin", "cos"),
    ("max", "min"),
    ("maximum", "minimum"),
    ("argmax", "argmin"),
    ("any", "all"),
    ("mean", "sum"),
    ("zeros", "ones"),
    ("exp", "exp2"),
    ("log", "log2"),
    ("sqrt", "square"),
    ("even", "odd"),
]
SYMMETRIC = {  # in their first two arguments, or, as `np.swapaxes(x, …)`, refused at once when these are exchanged
    "maximum",
    "minimum",
    "max",
    "min",
    "array_equal",
    "may_share_memory",
    "equal",
    "multiply",
    "hypot",
    "logaddexp",
    "vecdot",  # of real vectors alone
    "swapaxes",
    "result_type",
    "residual",
    "add_norm",
    "mean_of_products",
    "clip_loss",
    "chamfer_distance",
    "perceptual_loss",
    "_identical",
    "require",
}
EVEN = {"abs", "square"}
BY_DEFAULT = {  # what these do without the keyword
    ("argsort", "axis=-1"),
    ("take_along_axis", "axis=-1"),
}
ALONE = (ast.Constant, ast.Name, ast.UnaryOp)  # do not say where they stand
NAMES = {a: b for pair in TWINS for a, b in (pair, pair[::-1])}


@dataclass(frozen=True)
class Mutant:
    """One mistake: where it is, how that place reads before and after, and the module's tree with it."""

    path: Path
    function: str
    line: int
    before: str
    after: str
    tree: ast.Module
    of_input: bool = False  # in a decorator, which says what may come in

    @property
    def idea(self) -> str:
        """The group and the name of the module: `attention/softmax`; of one without a group its name."""
        group = self.path.parent.name
        return f"{group}/{self.path.stem}".removeprefix("transformer_math/")

    @property
    def mutation(self) -> str:
        """What `EQUIVALENT` of the idea knows it by, within its function: it survives whatever is written around it."""
        return f"{self.before} → {self.after}"

    @property
    def name(self) -> str:
        """The mutant in one line."""
        return f"{self.idea}.{self.function}: {self.mutation}"


def mutants_of(path: Path, functions: Container[str] | None = None) -> Iterator[Mutant]:
    """Every mutant of a module's functions, or of those with these names; each changes one place."""
    tree = ast.parse(path.read_text("utf-8"))
    for number, node in enumerate(ast.walk(tree)):
        node.number = number
        node.signed = getattr(node, "signed", True)
        for inner in _without_sign(node):
            inner.signed = False
    module = pickle.dumps(tree)  # quicker to read again than to copy
    for function, root in _functions(tree):
        if functions is not None and function not in functions:
            continue
        written = ast.unparse(root)
        for statement, node in _places(root):
            around = _around(node, statement, written)
            of_input = statement in root.decorator_list
            for change in _changes(node):
                for mutant in _mutant(path, module, function, around, node, change):
                    yield replace(mutant, of_input=of_input)


def _without_sign(node: ast.AST) -> list[ast.AST]:
    """What is squared, or whose size is taken: `a - b` is as good there as `b - a`."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        return [node.left] if getattr(node.right, "value", 1) == 2 else []
    return node.args[:1] if isinstance(node, ast.Call) and _called(node) in EVEN else []


def _around(node: ast.AST, statement: ast.AST, written: str) -> list[ast.AST]:
    """The nodes from the changed one up to its statement, without those that say too little or stand twice in the function."""
    return [
        n
        for n in reversed(_way_down(statement, node))
        if n is statement or (not isinstance(n, ALONE) and written.count(_read(n)) == 1)
    ]


def _way_down(top: ast.AST, node: ast.AST) -> list[ast.AST]:
    if top is node:
        return [top]
    for child in ast.iter_child_nodes(top):
        if way := _way_down(child, node):
            return [top, *way]
    return []


def _mutant(
    path: Path,
    module: bytes,
    function: str,
    around: list[ast.AST],
    node: ast.AST,
    change: Callable,
):
    copy = pickle.loads(module)
    nodes = {n.number: n for n in ast.walk(copy) if hasattr(n, "number")}
    made = change(nodes[node.number])
    if made is not nodes[node.number]:
        _replace(copy, nodes[node.number], made)
    ast.fix_missing_locations(copy)
    for place in around:
        new = nodes[place.number] if place is not node else made
        before, after = _read(place), _read(new)
        if before != after:
            yield Mutant(path, function, around[-1].lineno, before, after, copy)
            return


def _read(node: ast.AST) -> str:
    """A node as it reads in a line: of a statement with a body, its head."""
    return ast.unparse(node).strip().split("\n")[0]


def _functions(
    tree: ast.AST, prefix: str = ""
) -> Iterator[tuple[str, ast.FunctionDef]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef):
            yield prefix + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node, f"{prefix}{node.name}.")


def _places(function: ast.FunctionDef) -> Iterator[tuple[ast.AST, ast.AST]]:
    """The nodes that may be changed, each with the statement (or decorator, or default) in which it stands."""
    roots = [
        *function.decorator_list,
        *function.args.defaults,
        *filter(None, function.args.kw_defaults),
    ]
    for root in roots:
        yield from ((root, node) for node in _expressions(root))
    body = function.body
    documented = isinstance(body[0], ast.Expr) and isinstance(
        body[0].value, ast.Constant
    )
    for statement in body[documented:]:
        yield from _statements(statement)


def _statements(statement: ast.stmt) -> Iterator[tuple[ast.AST, ast.AST]]:
    if isinstance(statement, ast.Raise):
        return
    yield statement, statement
    for _, value in ast.iter_fields(statement):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.stmt):
                yield from _statements(child)
            elif isinstance(child, ast.AST):
                yield from ((statement, node) for node in _expressions(child))


def _expressions(root: ast.AST) -> Iterator[ast.AST]:
    if isinstance(root, ast.JoinedStr) or (
        isinstance(root, ast.Constant) and isinstance(root.value, str)
    ):
        return
    yield root
    for field, value in ast.iter_fields(root):
        if field == "annotation":
            continue
        for child in value if isinstance(value, list) else [value]:
            if _takes_the_rest(root, child):
                yield child
            elif isinstance(child, ast.AST):
                yield from _expressions(child)


def _takes_the_rest(call: ast.AST, size: object) -> bool:
    """Whether this is the -1 of a `reshape`: NumPy takes any other negative number for the same."""
    named = isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
    return named and call.func.attr == "reshape" and isinstance(size, ast.UnaryOp)


def _replace(tree: ast.AST, old: ast.AST, new: ast.AST) -> None:
    for parent in ast.walk(tree):
        for field, value in ast.iter_fields(parent):
            if value is old:
                setattr(parent, field, new)
                return
            if isinstance(value, list) and any(child is old for child in value):
                setattr(
                    parent, field, [new if child is old else child for child in value]
                )
                return


def _changes(node: ast.AST) -> Iterator[Callable[[ast.AST], ast.AST]]:
    """The mistakes that can be made at a node: functions that change the node, or give another."""
    changes = CHANGES.get(type(node))
    if changes is not None:
        yield from changes(node)


def _operator(node: ast.BinOp | ast.BoolOp) -> Iterator[Callable]:
    if type(node.op) in SWAPS:
        yield _set("op", SWAPS[type(node.op)]())
    turned = (ast.Sub, ast.Div, ast.MatMult) if node.signed else (ast.Div, ast.MatMult)
    if isinstance(node, ast.BinOp) and isinstance(node.op, turned):
        yield lambda n: ast.BinOp(n.right, n.op, n.left)


def _comparison(node: ast.Compare) -> Iterator[Callable]:
    for other in COMPARISONS[type(node.ops[0])]:
        yield _set("ops", [other(), *node.ops[1:]])


def _unary(node: ast.UnaryOp) -> Iterator[Callable]:
    yield lambda n: n.operand


def _constant(node: ast.Constant) -> Iterator[Callable]:
    value = node.value
    if isinstance(value, bool):
        yield _set("value", not value)
    elif isinstance(value, int):
        yield _set("value", value + 1)
        yield _set("value", value - 1)
    elif isinstance(value, float):
        yield _set("value", value * 2 if value else 1.0)


def _condition(node: ast.If | ast.While | ast.IfExp) -> Iterator[Callable]:
    yield lambda n: _set("test", ast.UnaryOp(ast.Not(), n.test))(n)


def _comprehension(node: ast.comprehension) -> Iterator[Callable]:
    for number in range(len(node.ifs)):
        yield lambda n, number=number: _set(
            "ifs", n.ifs[:number] + n.ifs[number + 1 :]
        )(n)


def _call(node: ast.Call) -> Iterator[Callable]:
    if len(node.args) >= 2 and _called(node) not in SYMMETRIC:
        yield lambda n: _set("args", [n.args[1], n.args[0], *n.args[2:]])(n)
    for number, keyword in enumerate(node.keywords):
        said = (_called(node), ast.unparse(keyword))
        if keyword.arg is not None and said not in BY_DEFAULT:
            yield lambda n, number=number: _set(
                "keywords", n.keywords[:number] + n.keywords[number + 1 :]
            )(n)


def _called(node: ast.Call) -> str:
    return getattr(node.func, "attr", getattr(node.func, "id", ""))


def _attribute(node: ast.Attribute) -> Iterator[Callable]:
    if node.attr in NAMES:
        yield _set("attr", NAMES[node.attr])


def _name(node: ast.Name) -> Iterator[Callable]:
    if node.id in NAMES and isinstance(node.ctx, ast.Load):
        yield _set("id", NAMES[node.id])


def _slice(node: ast.Slice) -> Iterator[Callable]:
    for end in ("lower", "upper"):
        limit = getattr(node, end)
        if limit is not None and not (
            isinstance(limit, ast.Constant) and limit.value == 0
        ):
            yield _set(end, None)


def _result(node: ast.Return) -> Iterator[Callable]:
    if isinstance(node.value, ast.Tuple) and len(node.value.elts) == 2:
        yield lambda n: ast.Return(ast.Tuple(n.value.elts[::-1], ast.Load()))
    if node.value is not None:
        yield lambda n: ast.Return(ast.Constant(None))


def _dropped(node: ast.stmt) -> Iterator[Callable]:
    yield lambda n: ast.Pass()


def _set(field: str, value: object) -> Callable[[ast.AST], ast.AST]:
    def change(node: ast.AST) -> ast.AST:
        setattr(node, field, value)
        return node

    return change


CHANGES = {
    ast.BinOp: _operator,
    ast.BoolOp: _operator,
    ast.Compare: _comparison,
    ast.UnaryOp: _unary,
    ast.Constant: _constant,
    ast.If: _condition,
    ast.While: _condition,
    ast.IfExp: _condition,
    ast.comprehension: _comprehension,
    ast.Call: _call,
    ast.Attribute: _attribute,
    ast.Name: _name,
    ast.Slice: _slice,
    ast.Return: _result,
    ast.Expr: _dropped,
    ast.AugAssign: _dropped,
    ast.Break: _dropped,
    ast.Continue: _dropped,
}
