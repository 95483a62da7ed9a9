"""The project's conventions as functions: each takes a module's tree and names its breaches."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path

LONGEST_MODULE = 400
BANNED_WORDS = frozenset({"Manager", "Helper", "Helpers", "Util", "Utils", "Base"})
SOURCES = ("shared/mnemis", "mnemis_langchain", "mnemis_llamaindex")
UNFINISHED = re.compile(r"\b(TO" + r"DO|FIX" + r"ME|XX" + r"X|HA" + r"CK)\b")
CJK = re.compile(r"[\u4e00-\u9fff]")

VALUES = ("/model/", "/ports/", "/config.py", "/trace.py", "/formats/", "/demo/")
"""Where every dataclass is a value that travels between layers."""

Rule = Callable[[ast.Module, str, str], Iterator[str]]
"""Takes a module's tree, text and path; yields breaches."""


def source_files(root: Path, folders: tuple[str, ...] = SOURCES) -> list[Path]:
    """Every Python file of these folders."""
    return sorted(path for folder in folders for path in (root / folder).rglob("*.py"))


def no_passed_on_keywords(tree: ast.Module, text: str, path: str) -> Iterator[str]:
    """A function names what it takes; ``**kwargs`` handed on hides it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.args.kwarg:
            name = node.args.kwarg.arg
            for call in ast.walk(node):
                if isinstance(call, ast.Call) and any(
                    each.arg is None and isinstance(each.value, ast.Name) and each.value.id == name
                    for each in call.keywords
                ):
                    yield f"line {node.lineno}: {node.name} passes **{name} on"


def dataclasses_are_values(tree: ast.Module, text: str, path: str) -> Iterator[str]:
    """Values that travel are frozen, slotted and keyword-only; working state at least slotted."""
    travels = any(each in f"/{path}" for each in VALUES)
    for node in ast.walk(tree):
        if not isinstance(node, ast.ClassDef):
            continue
        for decorator in node.decorator_list:
            call = decorator if isinstance(decorator, ast.Call) else None
            if ast.unparse(call.func if call else decorator).rsplit(".", 1)[-1] != "dataclass":
                continue
            given = {
                each.arg
                for each in (call.keywords if call else [])
                if isinstance(each.value, ast.Constant) and each.value.value is True
            }
            is_state = node.name.startswith("_") or not travels
            wanted = {"slots"} if is_state else {"frozen", "slots", "kw_only"}
            if missing := sorted(wanted - given):
                yield f"line {node.lineno}: dataclass {node.name} lacks {', '.join(missing)}"


def modules_are_short(tree: ast.Module, text: str, path: str) -> Iterator[str]:
    """A module is one stage or one noun."""
    if (lines := text.count("\n")) > LONGEST_MODULE:
        yield f"{lines} lines, more than {LONGEST_MODULE}"


def class_names_say_something(tree: ast.Module, text: str, path: str) -> Iterator[str]:
    """A class is named by the noun it is."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            words = set(re.findall(r"[A-Z][a-z]+", node.name))
            if banned := words & BANNED_WORDS:
                yield f"line {node.lineno}: class {node.name} ({', '.join(banned)})"


def errors_are_not_swallowed(tree: ast.Module, text: str, path: str) -> Iterator[str]:
    """Catching everything and doing nothing hides what went wrong."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ExceptHandler):
            caught = "" if node.type is None else ast.unparse(node.type)
            broad = caught in ("", "Exception", "BaseException")
            idle = all(isinstance(each, ast.Pass | ast.Continue) for each in node.body)
            if broad and (idle or not caught):
                yield f"line {node.lineno}: except {caught or '(everything)'} without an answer"


def nothing_is_left_undone(tree: ast.Module, text: str, path: str) -> Iterator[str]:
    """What is unfinished is finished or not begun."""
    for number, line in enumerate(text.split("\n"), start=1):
        if UNFINISHED.search(line):
            yield f"line {number}: {line.strip()}"


def public_things_are_documented(tree: ast.Module, text: str, path: str) -> Iterator[str]:
    """Every public module, class, function and method promises something."""
    if text.strip() and ast.get_docstring(tree) is None:
        yield "the module has no docstring"
    yield from _undocumented(tree.body, within="")


def _undocumented(body: list[ast.stmt], *, within: str) -> Iterator[str]:
    for node in body:
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        decorators = {ast.unparse(each).rsplit(".", 1)[-1] for each in node.decorator_list}
        if node.name.startswith("_") or decorators & {"overload", "setter", "override"}:
            continue
        if ast.get_docstring(node) is None:
            yield f"line {node.lineno}: {within}{node.name} has no docstring"
        if isinstance(node, ast.ClassDef):
            yield from _undocumented(node.body, within=f"{node.name}.")


RULES: tuple[Rule, ...] = (
    no_passed_on_keywords,
    dataclasses_are_values,
    modules_are_short,
    class_names_say_something,
    errors_are_not_swallowed,
    nothing_is_left_undone,
    public_things_are_documented,
)

BREACHES: dict[str, str] = {
    "no_passed_on_keywords": "def f(**options):\n    g(**options)\n",
    "dataclasses_are_values": "@dataclass(frozen=True)\nclass Point:\n    x: int\n",
    "modules_are_short": "x = 1\n" * (LONGEST_MODULE + 1),
    "class_names_say_something": "class MemoryManager:\n    pass\n",
    "errors_are_not_swallowed": "try:\n    f()\nexcept Exception:\n    pass\n",
    "nothing_is_left_undone": "x = 1  # TO" + "DO: more\n",
    "public_things_are_documented": 'class A:\n    """Doc."""\n    def f(self): ...\n',
}
"""One breach of each rule, to prove that the rule sees it."""
