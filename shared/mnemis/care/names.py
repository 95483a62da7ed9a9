"""From what a person calls something to the entity meant."""

from __future__ import annotations

from difflib import get_close_matches

from mnemis.errors import InputError
from mnemis.model.graph import Entity
from mnemis.ports.store import View
from mnemis.text.normalise import name_key

_MOST_NEAR = 5


def describe(entity: Entity) -> str:
    """How an entity is told apart from its namesakes: "Java (island) [entity:…]"."""
    label = f"{entity.name} ({entity.qualifier or entity.type})"
    return f"{label} [{entity.id}]"


def entities_called(view: View, asked: str) -> tuple[Entity, ...]:
    """Entities with this id, or whose name or alias it is, best known first.

    Where a full name fits, entities of which it is only a part ("Holloway") are left out.
    "Java (island)" asks for the qualifier.
    """
    node = view.get([asked]).get(asked)
    if isinstance(node, Entity):
        return (node,)
    name, qualifier = _parted(asked)
    found = _named(view, name_key(asked))
    if not found and qualifier:
        found = [
            each
            for each in _named(view, name_key(name))
            if name_key(qualifier) in (name_key(each.qualifier), each.type)
        ]
    key = name_key(name if qualifier else asked)
    whole = [each for each in found if key in {name_key(n) for n in (each.name, *each.aliases)}]
    return tuple(sorted(whole or found, key=lambda each: (-len(each.sources), each.id)))


def entity_called(view: View, asked: str) -> Entity:
    """The one entity of this id, name or alias.

    Raises InputError: unknown names list near ones, ambiguous ones their candidates.
    """
    if not isinstance(asked, str) or not asked.strip():  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
        raise InputError(f"the name of an entity is wanted, got {asked!r}")
    found = entities_called(view, asked)
    if len(found) == 1:
        return found[0]
    if found:
        raise InputError(
            f"{asked!r} may be {', '.join(describe(each) for each in found)}; give the id"
        )
    near = near_names(view, asked)
    hint = f"; known are {', '.join(near)}" if near else "; no name is near it"
    raise InputError(f"nothing is known about {asked!r}{hint}")


def near_names(view: View, asked: str) -> tuple[str, ...]:
    """Up to five known names that resemble this one, nearest first."""
    names: dict[str, str] = {}
    for entity in view.scan("entity"):
        if isinstance(entity, Entity):
            for name in (entity.name, *entity.aliases):
                names.setdefault(name_key(name), entity.name)
    key = name_key(asked)
    close = get_close_matches(key, names, n=_MOST_NEAR, cutoff=0.6)
    part = [each for each in names if key and (key in each or (len(each) > 1 and each in key))]
    shared = [each for each in names if not each.isascii() and len(set(each) & set(key)) > 1]
    found = dict.fromkeys(names[each] for each in (*close, *sorted(part), *sorted(shared)))
    return tuple(found)[:_MOST_NEAR]


def _named(view: View, key: str) -> list[Entity]:
    owners = view.named([key]).get(key, ())
    return [node for node in view.get(owners).values() if isinstance(node, Entity)]


def _parted(asked: str) -> tuple[str, str]:
    """("Java", "island") of "Java (island)"."""
    text = asked.strip().replace("（", "(").replace("）", ")")
    if not text.endswith(")") or "(" not in text:
        return asked, ""
    name, _, qualifier = text[:-1].partition("(")
    return name.strip(), qualifier.strip()
