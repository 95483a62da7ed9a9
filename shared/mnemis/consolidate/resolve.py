"""Fourth stage: names to entities. Identity is an id; a name only leads to candidates.

The register starts from what the memory knows under the names at hand and grows as episodes are
read in order, so that how turns were batched does not matter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache
from hashlib import blake2b
from typing import Final

from mnemis.consolidate.rules import lexicon_en
from mnemis.consolidate.rules.bounds_zh import ALL_SURNAMES, is_addressed
from mnemis.model.graph import Entity, EntityType
from mnemis.text.normalise import fold, language, name_key

_CONTRADICT: Final = frozenset(
    frozenset(pair)
    for pair in (
        ("person", "place"),
        ("person", "organisation"),
        ("person", "product"),
        ("person", "event"),
        ("place", "product"),
        ("animal", "place"),
        ("animal", "organisation"),
        ("animal", "product"),
    )
)
_VAGUE: Final = frozenset({"other", "concept"})
_LABELS_ZH: Final = {
    "person": "人",
    "place": "地方",
    "organisation": "机构",
    "product": "产品",
    "event": "活动",
    "animal": "动物",
    "concept": "概念",
    "other": "其他",
}
_PLAIN: Final = re.compile(
    r"(?!(?:mr|mrs|ms|miss|mx|dr|prof|professor|sir|madam) )[a-z0-9]+(?: [a-z0-9]+)*",
    re.IGNORECASE | re.ASCII,
)
_TITLES: Final = ("总", "总监")
_FIRST, _LAST = 8, 56

Lookup = Callable[[Iterable[str]], Mapping[str, Sequence[Entity]]]
"""Entities filed under each name key."""


def digest(*parts: str) -> str:
    """Sixteen hex digits that depend on the parts and on where they are divided."""
    return blake2b("\x1f".join(parts).encode("utf-8", "replace"), digest_size=8).hexdigest()


@lru_cache(maxsize=65_536)
def key_of(name: str) -> str:
    """The name key, except that a lone surname keeps its title: 周老师 is not every 周."""
    if _PLAIN.fullmatch(name):
        return name.lower()  # what name_key gives, at a tenth of its cost
    key = name_key(name)
    return fold(name) if len(key) == 1 and not key.isascii() and len(name) > 1 else key


def entity_id(key: str, qualifier: str) -> str:
    """The id of an entity first met under this name key and qualifier."""
    return f"entity:{digest(key, key_of(qualifier) if qualifier else '')}"


def short_keys(entity: Entity) -> tuple[str, ...]:
    """Keys of parts that may stand for the whole: a person's first and last name, 若曦."""
    if entity.type in ("place", "event", "animal"):
        return ()
    keys: list[str] = []
    for name in (entity.name, *entity.aliases):
        if owner_like(name):
            continue
        words = name.split()
        if len(words) > 1:
            if entity.type == "person":
                keys.extend(key_of(word) for word in (words[0], words[-1]) if len(word) > 1)
            elif _distinctive(words[0]) and not any(char.isdigit() for char in name):
                keys.append(key_of(words[0]))
        elif entity.type == "person" and _is_full_zh(name):
            if len(name) == 3:
                keys.append(key_of(name[1:]))
            keys.extend(key_of(name[0] + title) for title in _TITLES)
    return tuple(dict.fromkeys(key for key in keys if key and key not in exact_keys(entity)))


def exact_keys(entity: Entity) -> tuple[str, ...]:
    """Keys of the name and the aliases."""
    return tuple(dict.fromkeys(key_of(name) for name in (entity.name, *entity.aliases)))


@dataclass(slots=True)
class Register:
    """Entities seen while a batch is read; ``changed`` are those to write. Not shared."""

    lookup: Lookup
    entities: dict[str, Entity] = field(default_factory=dict[str, Entity])
    changed: set[str] = field(default_factory=set[str])
    created: set[str] = field(default_factory=set[str])
    _exact: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    _short: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    _loaded: set[str] = field(default_factory=set[str])

    def load(self, keys: Iterable[str]) -> None:
        """Fetch what is filed under these keys, once."""
        missing = [key for key in dict.fromkeys(keys) if key and key not in self._loaded]
        self._loaded.update(missing)
        for found in self.lookup(missing).values() if missing else ():
            for entity in found:
                if entity.id not in self.entities:
                    self.entities[entity.id] = entity
                    self._file(entity)

    def __contains__(self, key: object) -> bool:
        """Whether something is filed under this key so far."""
        return key in self._exact or key in self._short

    def resolve(
        self,
        name: str,
        *,
        type: EntityType = "other",
        qualifier: str = "",
        aliases: Sequence[str] = (),
        source: str,
        time: datetime | None,
        create: bool = True,
        near: Set[str] | None = None,
    ) -> str | None:
        """The id of the entity meant by ``name``; made when there is none and ``create``. With
        ``near`` a part stands for a whole only when that is one of these entities.
        """
        display = _display(name)
        key = key_of(display)
        if not key or len(key) > 120:
            return None
        alias_keys = [key_of(alias) for alias in aliases]
        self.load([key, *alias_keys, *_part_keys(display)])
        found = self._find(key, type, qualifier) or next(
            (hit for alias in alias_keys if (hit := self._find(alias, type, qualifier))), None
        )
        if found is None:
            found = self._alias(display, key, type, near)
        if found is None:
            if not create:
                return None
            return self._create(display, key, type, qualifier, aliases, source, time)
        self._touch(found, display, type, qualifier, aliases, source)
        return found

    def held(self, name: str) -> str | None:
        """The person filed under exactly this name, without touching anything."""
        return self._find(key_of(_display(name)), "person", "")

    def add_alias(self, entity: str, alias: str) -> None:
        """File an entity under one more name."""
        node = self.entities[entity]
        if key_of(alias) not in exact_keys(node):
            self._put(replace(node, aliases=(*node.aliases, _display(alias))))

    def rename(self, entity: str, name: str) -> None:
        """Show an entity under its proper name; the old name ("Ana's son") becomes an alias, and
        keeps namesakes apart.
        """
        node = self.entities[entity]
        proper = _display(name)
        if key_of(proper) in exact_keys(node):
            return
        if self._exact.get(key_of(proper)):
            node = replace(node, qualifier=node.qualifier or node.name)
        if owner_like(node.name):
            self._put(replace(node, name=proper, aliases=(*node.aliases, node.name)))
        else:
            self._put(replace(node, aliases=(*node.aliases, proper)))

    def absorb(self, entity: str, other: str) -> None:
        """Let ``entity`` carry the names of ``other``, which was made in this batch and goes."""
        gone = self.entities.pop(other)
        self.created.discard(other)
        self.changed.discard(other)
        for held in (*self._exact.values(), *self._short.values()):
            if other in held:
                held.remove(other)
        node = self.entities[entity]
        keys = exact_keys(node)
        fresh = tuple(name for name in (gone.name, *gone.aliases) if key_of(name) not in keys)
        self._put(
            replace(
                node,
                aliases=(*node.aliases, *fresh),
                sources=capped(tuple(dict.fromkeys((*node.sources, *gone.sources)))),
            )
        )

    def _find(self, key: str, kind: EntityType, qualifier: str) -> str | None:
        fitting = [
            self.entities[each]
            for each in self._exact.get(key, ())
            if _fits(self.entities[each], kind, qualifier)
        ]
        if not fitting:
            return None
        best = min(
            fitting,
            key=lambda each: (
                not (qualifier and each.qualifier and key_of(each.qualifier) == key_of(qualifier)),
                not (kind not in _VAGUE and each.type == kind),
                owner_like(each.name),
                each.qualifier != "",
                each.id,
            ),
        )
        return best.id

    def _alias(self, display: str, key: str, kind: EntityType, near: Set[str] | None) -> str | None:
        """A part for the whole ("Holloway"), or the whole for a part met earlier."""
        if kind not in ("person", "other") or any(char.isdigit() for char in key):
            return None
        whole = [
            each
            for each in self._short.get(key, ())
            if (near is None or each in near)
            and (
                self.entities[each].type == "person"
                or kind == "other"
                or key not in lexicon_en.GIVEN_NAMES
            )
        ]
        if len(whole) == 1:
            return whole[0]
        if kind != "person" or whole:
            return None
        for part in _part_keys(display):
            held = [self.entities[each] for each in self._exact.get(part, ())]
            fitting = [
                each
                for each in held
                if each.type in ("person", "other")
                and (near is None or each.id in near)
                and part in exact_keys(each)
                and not each.qualifier
                and " " not in each.name
            ]
            others = [
                each for each in self._short.get(part, ()) if each not in {e.id for e in fitting}
            ]
            if len(fitting) == 1 and len(held) == 1 and not others:
                old = fitting[0]
                self._put(
                    replace(old, name=display, aliases=(*old.aliases, old.name), type="person")
                )
                return old.id
        return None

    def _create(
        self,
        display: str,
        key: str,
        kind: EntityType,
        qualifier: str,
        aliases: Sequence[str],
        source: str,
        time: datetime | None,
    ) -> str:
        namesakes = self._exact.get(key, ())
        if namesakes and not qualifier:
            qualifier = _LABELS_ZH[kind] if language(display) == "zh" else kind
        identity = entity_id(key, qualifier)
        while identity in self.entities:
            qualifier += "'"
            identity = entity_id(key, qualifier)
        entity = Entity(
            id=identity,
            text=display,
            time=time,
            sources=(source,),
            name=display,
            type=kind,
            qualifier=qualifier,
            language=language(display),
            aliases=tuple(_display(alias) for alias in aliases if key_of(alias) != key),
        )
        self.created.add(identity)
        self._put(entity)
        return identity

    def _touch(
        self,
        identity: str,
        display: str,
        kind: EntityType,
        qualifier: str,
        aliases: Sequence[str],
        source: str,
    ) -> None:
        old = self.entities[identity]
        new = old
        if old.type in _VAGUE and kind not in _VAGUE:
            new = replace(new, type=kind)
        if qualifier and not old.qualifier and len(self._exact.get(key_of(old.name), ())) == 1:
            new = replace(new, qualifier=qualifier)
        if source not in old.sources:
            new = replace(new, sources=capped((*old.sources, source)))
        keys = exact_keys(new)
        spellings = (old.name, *old.aliases)
        fresh = [
            _display(alias)
            for alias in (display, *aliases)
            if key_of(alias) not in keys
            or (_display(alias) not in spellings and "." in f"{alias}{old.name}")
        ]
        if fresh:
            new = replace(new, aliases=tuple(dict.fromkeys((*old.aliases, *fresh))))
        if new != old:
            self._put(new)

    def _put(self, entity: Entity) -> None:
        self.entities[entity.id] = entity
        self.changed.add(entity.id)
        self._file(entity)

    def _file(self, entity: Entity) -> None:
        for key in exact_keys(entity):
            held = self._exact.setdefault(key, [])
            if entity.id not in held:
                held.append(entity.id)
        for key in short_keys(entity):
            held = self._short.setdefault(key, [])
            if entity.id not in held:
                held.append(entity.id)


def owner_like(name: str) -> bool:
    """Whether a name only says whose it is ("Ana's son", 林若曦的妹妹)."""
    return "'s " in name or "’s " in name or "的" in name


def capped(sources: tuple[str, ...]) -> tuple[str, ...]:
    """The first and the latest sources; the complete list is in the ``mentions`` edges."""
    return sources if len(sources) <= _FIRST + _LAST else (*sources[:_FIRST], *sources[-_LAST:])


def _distinctive(word: str) -> bool:
    """Whether a first word alone may stand for the whole ("Nimbus" for "Nimbus Vault")."""
    low = word.lower()
    common = (
        lexicon_en.WEAK
        | lexicon_en.NOT_NAMES
        | lexicon_en.ORGANISATION_WORDS
        | lexicon_en.PLACE_WORDS
    )
    return (
        len(word) > 3 and word[:1].isupper() and low not in common and low not in lexicon_en.PLACES
    )


def _display(name: str) -> str:
    return " ".join(name.split()).strip(" \"'“”‘’「」『』《》.,;:!?，。；：！？")


def _is_full_zh(name: str) -> bool:
    """Whether a name has a surname and a given name: 裴医生 is no 医生 of the family 裴."""
    return len(name) in (2, 3) and name[0] in ALL_SURNAMES and not is_addressed(name)


def _part_keys(name: str) -> tuple[str, ...]:
    words = name.split()
    if len(words) > 1 and "'s" not in name and not any(char.isdigit() for char in name):
        low = words[-1].lower().strip(".")
        if low in lexicon_en.PLACE_WORDS or low in lexicon_en.ORGANISATION_WORDS:
            return ()
        return tuple(dict.fromkeys(key_of(word) for word in (words[0], words[-1])))
    if _is_full_zh(name):
        return (
            *([key_of(name[1:])] if len(name) == 3 else []),
            *(key_of(name[0] + title) for title in _TITLES),
        )
    return ()


def _fits(entity: Entity, kind: EntityType, qualifier: str) -> bool:
    if frozenset((entity.type, kind)) in _CONTRADICT:
        return False
    return not (qualifier and entity.qualifier and key_of(qualifier) != key_of(entity.qualifier))
