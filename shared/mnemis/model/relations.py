"""The vocabulary of edge types: ten structural ones and 42 relations between entities.

A predicate has one spelling; what a rule, an extractor or a model says is mapped onto these by
``canonical`` or falls back to ``related_to``.
"""

from __future__ import annotations

from dataclasses import dataclass

STRUCTURAL: tuple[str, ...] = (
    "belongs_to",
    "mentions",
    "next",
    "answers",
    "supports",
    "supersedes",
    "contradicts",
    "refers_to",
    "causes",
    "related_to",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """One relation: labels in both languages; ``single`` when a newer value replaces an older."""

    name: str
    en: str
    zh: str
    single: bool = False


def _r(name: str, en: str, zh: str, *, single: bool = False) -> Relation:
    return Relation(name=name, en=en, zh=zh, single=single)


RELATIONS: dict[str, Relation] = {
    r.name: r
    for r in (
        _r("lives_in", "lives in", "住在", single=True),
        _r("moved_from", "moved from", "搬离"),
        _r("born_in", "was born in", "出生于", single=True),
        _r("born_on", "was born on", "生日是", single=True),
        _r("works_at", "works at", "就职于", single=True),
        _r("works_as", "works as", "职业是", single=True),
        _r("works_on", "works on", "负责"),
        _r("reports_to", "reports to", "汇报给", single=True),
        _r("manages", "manages", "管理"),
        _r("colleague_of", "is a colleague of", "同事是"),
        _r("member_of", "is a member of", "加入了"),
        _r("studies_at", "studies at", "就读于", single=True),
        _r("studies", "studies", "学习"),
        _r("knows", "knows", "认识"),
        _r("friend_of", "is a friend of", "朋友是"),
        _r("family_of", "is family of", "亲属是"),
        _r("parent_of", "is a parent of", "孩子是"),
        _r("partner_of", "is the partner of", "伴侣是", single=True),
        _r("likes", "likes", "喜欢"),
        _r("dislikes", "dislikes", "不喜欢"),
        _r("prefers", "prefers", "更喜欢", single=True),
        _r("uses", "uses", "使用"),
        _r("owns", "owns", "拥有"),
        _r("has_pet", "has the pet", "养了"),
        _r("allergic_to", "is allergic to", "对…过敏"),
        _r("has_condition", "has the condition", "患有"),
        _r("avoids", "avoids", "避免"),
        _r("wants", "wants", "想要"),
        _r("plans", "plans", "计划"),
        _r("decided", "decided on", "决定", single=True),
        _r("costs", "costs", "价格是", single=True),
        _r("scheduled_for", "is scheduled for", "定于", single=True),
        _r("located_in", "is located in", "位于", single=True),
        _r("part_of", "is part of", "属于"),
        _r("made_by", "was made by", "由…制作"),
        _r("supplied_by", "is supplied by", "供应商是", single=True),
        _r("named", "is named", "叫作", single=True),
        _r("has_value", "is", "是", single=True),
        _r("contact_is", "can be reached at", "联系方式是", single=True),
        _r("visited", "visited", "去过"),
        _r("bought", "bought", "买了"),
        _r("can", "can", "会"),
    )
}

EDGE_TYPES: tuple[str, ...] = STRUCTURAL + tuple(RELATIONS)


def canonical(predicate: str) -> str:
    """The vocabulary's spelling of ``predicate``, or ``"related_to"`` when it has none.

    >>> canonical("Works At"), canonical("hovers above")
    ('works_at', 'related_to')
    """
    folded = predicate.strip().casefold()
    name = folded.replace("-", " ").replace(" ", "_")
    if name in RELATIONS or name in STRUCTURAL:
        return name
    return _BY_LABEL.get(folded, "related_to")


_BY_LABEL: dict[str, str] = {
    label: r.name for r in RELATIONS.values() for label in (r.en.casefold(), r.zh)
}
