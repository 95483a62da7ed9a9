"""What ``mnemis`` promises: its names, their documentation, their examples."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
from types import ModuleType

import mnemis
from mnemis import errors

NAMES = (
    "Config",
    "Document",
    "Hit",
    "InputError",
    "Memory",
    "Message",
    "MessagePart",
    "Mnemis",
    "MnemisError",
    "Note",
    "Path",
    "Recall",
    "Step",
    "Working",
)


def modules() -> list[ModuleType]:
    names = [each.name for each in pkgutil.walk_packages(mnemis.__path__, "mnemis.")]
    return [importlib.import_module(name) for name in names if not name.endswith("__main__")]


def test_the_public_names_are_these() -> None:
    assert tuple(mnemis.__all__) == NAMES


def test_every_public_name_is_documented() -> None:
    for name in NAMES:
        assert inspect.getdoc(getattr(mnemis, name)), name


def test_every_error_has_one_root_and_stands_in_the_drawn_tree() -> None:
    tree = errors.__doc__ or ""
    classes = [each for each in vars(errors).values() if inspect.isclass(each)]
    assert len(classes) > 10
    for each in classes:
        assert issubclass(each, errors.MnemisError)
        assert each.__name__ in tree


def test_every_async_twin_takes_what_its_verb_takes() -> None:
    twins = [name for name in dir(mnemis.Memory) if hasattr(mnemis.Memory, f"a{name}")]
    assert {"remember", "recall", "consolidate"} <= set(twins)
    for name in twins:
        verb = inspect.signature(getattr(mnemis.Memory, name))
        twin = inspect.signature(getattr(mnemis.Memory, f"a{name}"))
        assert verb.parameters.keys() == twin.parameters.keys(), name
        for parameter in verb.parameters:
            assert verb.parameters[parameter].default == twin.parameters[parameter].default


def test_the_examples_in_docstrings_are_true() -> None:
    attempted = failed = 0
    for module in modules():
        result = doctest.testmod(module)
        attempted += result.attempted
        failed += result.failed
    assert failed == 0
    assert attempted >= 10, f"only {attempted} examples found"
