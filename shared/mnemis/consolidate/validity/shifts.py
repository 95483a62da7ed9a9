"""Statements that a later turn puts an end to without naming what it overturns as a value.

"Ulrike has the posters on her plate from now on", a bare address in reply to a question for it,
"works for me" to a proposed day, 那学校黄了: the older turn is one that states the same frame of
the same owner, found by the words that both turns and those around them share, and by meaning.
What says that all is as before, what is supposed, asked or another's overturns nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Final

from mnemis.consolidate.knowledge import Knowledge
from mnemis.consolidate.rules.hedges import is_hedged, is_of_another_year
from mnemis.consolidate.rules.news import is_added
from mnemis.consolidate.rules.shifts import (
    TOLD,
    Stated,
    agrees,
    asks_who,
    days,
    leaves_out_who,
    link_wanted,
    of_one_kin,
    only_starts,
    proposes,
    says_new,
    says_shift,
    speaks_of_another,
    stated,
)
from mnemis.consolidate.rules.speech import is_personal, visible, without_quotations
from mnemis.consolidate.rules.values import day_parts, same_value
from mnemis.consolidate.validity.contrasts import (
    are_two,
    links_by_word,
    name_two,
    one_event,
    same_people,
)
from mnemis.consolidate.validity.likeness import Likeness
from mnemis.consolidate.validity.matters import idf_of_two, surface_of
from mnemis.consolidate.validity.pairs import Place, Told, file_pair
from mnemis.consolidate.validity.shift_words import (
    characters_of,
    shares_word,
    weekdays_of,
    weights_of,
    words_of,
)
from mnemis.consolidate.validity.standing_facts import fact_giving, one_slot, told_in_full
from mnemis.model.graph import Fact, Turn
from mnemis.ports.store import View
from mnemis.text.normalise import fold, language, name_key

_NEAR: Final = 40
_BACK: Final = 2
_SHARE: Final = 0.8
_RARE: Final = 3.2
_LONGEST: Final = 600
_PERSONAL: Final = frozenset({"home", "post", "ended", "taste", "contact"})
_SELF: Final = frozenset({"i", "me", "my", "我"})
_ONE_GO: Final = timedelta(minutes=30)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Older:
    turn: Turn
    said: Stated
    link: float
    word: str


@dataclass(slots=True)
class Shifter:
    """Finds, for the turns of a batch, what they put an end to, and files it in the book."""

    view: View
    knowledge: Knowledge
    turns: Mapping[str, Turn]
    _likeness: Likeness = field(init=False)

    def __post_init__(self) -> None:
        self._likeness = Likeness(view=self.view)

    def shift(self) -> dict[str, Turn]:
        """File what every turn puts an end to; earlier turns that took part, by id."""
        used: dict[str, Turn] = {}
        previous: dict[str | None, tuple[Turn, ...]] = {}
        for turn in sorted(self.turns.values(), key=lambda each: each.ordinal):
            last = previous.get(turn.session, ())
            previous[turn.session] = (turn, *last[:1])
            if not is_personal(turn) or turn.role == "document":
                continue
            if not self._may_shift(turn, last):
                continue
            back = self._back(turn)
            before = _other(turn, back)
            for new, source in self._new(turn, back, before):
                olds = self._olds(turn, new, source, back)
                for older in olds:
                    self._file(turn, new, older)
                    used[older.turn.id] = older.turn
        return used

    def _may_shift(self, turn: Turn, last: Sequence[Turn]) -> bool:
        """Whether any word of the turn, or of the (at most two) before, can tell of a shift; a
        batch that begins with the reply is looked at in any case.
        """
        if says_shift(turn.text) or (last and asks_who(last[0].text)):
            return True
        return agrees(turn.text) and (not last or any(proposes(each.text) for each in last))

    def _new(self, turn: Turn, back: Sequence[Turn], before: str) -> Iterator[tuple[Stated, Turn]]:
        """What is new, and the turn whose words tell what it is about."""
        seen: set[str] = set()
        for each in stated(_said(turn), before):
            if each.begins and each.frame not in seen and not _elsewhen(each, turn):
                seen.add(each.frame)
                yield _owned(each, turn, back), turn
        if says_new(turn.text) and "day" not in seen:
            for each in days(_said(turn)):
                unsure = is_hedged(each.clause) or _elsewhen(each, turn) or only_starts(each)
                dated = day_parts(each.value).keys() & {"day", "month"}
                if says_new(each.clause) and not dated and not unsure:
                    yield replace(each, begins=True), turn
                    break
        proposal = next((each for each in back if proposes(each.text)), None)
        if proposal is None or not agrees(turn.text):
            return
        if is_added(turn.text):
            return
        if own := days(_said(turn)):
            yield own[-1], replace(turn, text=f"{turn.text} {proposal.text}")
        elif proposal is back[0] and proposal.speaker != turn.speaker:
            offered = days(visible(proposal.text)[:_LONGEST], asked=True)
            if len(offered) == 1:
                yield offered[0], replace(proposal, text=f"{turn.text} {proposal.text}")

    def _olds(self, turn: Turn, new: Stated, source: Turn, back: Sequence[Turn]) -> list[_Older]:
        nodes = self._earlier(source if source.id in self.turns else turn, turn, new)
        near = {each.id for each in back}
        befores = {each.id: self._back(each) for each in nodes}
        own = words_of(_meant(new, source, _other(turn, back)))
        around = {each.id: self._around([b for b in back if b is not each]) for each in back}
        around[""] = self._around(back)
        idf = self.view.term_stats(sorted(own | around[""]), kind="turn")
        enough = min(_RARE, _SHARE * idf_of_two(self.view.stats().entries.get("turn", 0)))
        found: list[_Older] = []
        for old in nodes:
            if old.id == source.id or (
                old.id in near and (_at_once(old, turn) or _proposed(new, old, back))
            ):
                continue
            before = befores[old.id]
            for said in _states(old, _other(old, before)):
                if said.frame != new.frame or are_two(new.clause, said.clause):
                    continue
                if not self._rivals(turn, new, old, said, back):
                    continue
                beside = around.get(old.id, around[""])
                weight = weights_of(
                    own,
                    beside,
                    words_of(_meant(new, old, _other(old, before))),
                    self._around(before),
                    idf,
                )
                link = sum(weight.values()) / enough + self._likeness.of(source.id, old.id)
                both = new.frame == "ended"
                named = not links_by_word(new) or shares_word(weight, idf, both=both)
                if new.begins and not named:
                    link += self._hints(new, said, turn, back, enough)
                word = max(weight, key=lambda each: (weight[each], each), default="")
                found.append(_Older(turn=old, said=said, link=link, word=word))
        found = [each for each in found if each.link >= link_wanted(new, each.said)]
        if not found:
            return []
        best = max(found, key=lambda each: (round(each.link, 3), each.turn.ordinal))
        return [each for each in found if each is best or _same_old(best, each, new)]

    def _hints(
        self, new: Stated, said: Stated, turn: Turn, back: Sequence[Turn], enough: float
    ) -> float:
        """What tells one matter where no word does: a weekday of something that ended, a rare
        Chinese character, as 账本 and 记账 share; without it, how much is missing.
        """
        if new.frame == "ended":
            told = " ".join((turn.text, *(each.text for each in back)))
            return 0.3 if weekdays_of(told) & weekdays_of(said.clause) else -0.5
        one, two = (characters_of(each.clause.replace(each.value, "")) for each in (new, said))
        shared = sorted(one & two)
        rarity = self.view.term_stats(shared, kind="turn")
        return 0.3 if any(each >= enough for each in rarity.values()) else -9.0

    def _earlier(self, source: Turn, turn: Turn, new: Stated) -> list[Turn]:
        tokens = sorted(words_of(source.text))
        hits = list(self.view.search(tokens, k=_NEAR, kinds=("turn",))) if tokens else []
        vector = self._likeness.vector(source.id)
        if vector is not None:
            hits.extend(self.view.nearest(vector, k=_NEAR, kinds=("turn",)))
        nodes = self.view.get(list(dict.fromkeys(hit.owner for hit in hits)))
        return [
            each
            for each in nodes.values()
            if isinstance(each, Turn)
            and each.ordinal < turn.ordinal
            and is_personal(each)
            and each.role != "document"
            and (_of_anybody(new) or name_key(each.speaker) == name_key(turn.speaker))
        ]

    def _rivals(
        self, turn: Turn, new: Stated, old: Turn, said: Stated, back: Sequence[Turn]
    ) -> bool:
        """Whether both say something else of what may be one matter of one owner."""
        if new.begins and name_two(new, said):
            return False
        if new.frame == "keeper":
            one = _person(new.value, turn, back)
            two = _person(said.value, old, self._back(old))
            return bool(one and two) and one != two
        if new.frame == "day":
            if new.begins and new.owner != said.owner:
                return False
            if not one_event(new.clause, said.clause) or not same_people(new.clause, said.clause):
                return False
            first, second = day_parts(new.value), day_parts(said.value)
            shared = first.keys() & second.keys()
            if not shared:  # the 18th and a Thursday, but not a Thursday and three o'clock
                return not new.begins and (set(first) == {"hour"}) == (set(second) == {"hour"})
            return any(first[key] != second[key] for key in shared)
        if "?" == new.owner == said.owner:
            return False
        if new.frame != "name" and new.owner != said.owner and not of_one_kin(new, said):
            return False
        if new.frame == "name" and said.owner and new.owner != said.owner:
            return False
        if new.frame in ("ended", "post", "taste"):
            return new.frame != "ended" or not said.begins
        return not same_value(new.value, said.value)

    def _around(self, back: Sequence[Turn]) -> frozenset[str]:
        return frozenset(word for each in back for word in words_of(each.text))

    def _back(self, turn: Turn) -> list[Turn]:
        """The turns before in the session, latest first."""
        found: list[Turn] = []
        here = turn
        while len(found) < _BACK:
            edges = self.view.neighbours([here.id], types=("next",), direction="in").get(here.id)
            node = self.view.get([edges[0].source]).get(edges[0].source) if edges else None
            if not isinstance(node, Turn):
                break
            found.append(node)
            here = node
        return found

    def _given(self, turn: Turn, said: Stated) -> Fact | None:
        return fact_giving(self.view, self.knowledge, turn, said.value) if said.value else None

    def _file(self, turn: Turn, new: Stated, older: _Older) -> None:
        """Both statements in one slot of the owner or the matter."""
        if told_in_full(self.view, self.knowledge, older.turn, turn, frame=new.frame):
            return
        relation, english, chinese = TOLD[new.frame]
        words = " ".join((older.turn.text, turn.text))
        matter = surface_of(older.word, words) or new.frame
        aspect = (chinese if language(older.turn.text) == "zh" else english) or ""
        name = older.turn.speaker
        if new.frame in _PERSONAL:
            subject = self.knowledge.register.held(name)
            aspect = aspect or matter
            if new.owner and new.owner != "?":
                aspect = f"{new.owner} {aspect}"
        else:
            name = matter
            subject = self.knowledge.matter(name, older.turn)
        if subject is None:
            return
        before = older.said.value or _short(older.said.clause)
        after = new.value or _short(new.clause)
        held = self._given(older.turn, older.said)
        own = self._given(turn, new)
        if held is not None and own is not None and one_slot(held, own):
            return
        if held is not None and held.subject_id is not None and held.relation == relation:
            name, subject, aspect, before = held.subject, held.subject_id, held.aspect, held.object
        if own is not None:
            after = own.object
        if new.frame == "keeper":
            before = _keeper(before, older.turn, self._back(older.turn))
            after = _keeper(after, turn, self._back(turn))
        file_pair(
            self.knowledge,
            Told(turn=older.turn, clause=older.said.clause, value=before),
            Told(turn=turn, clause=new.clause, value=after),
            place=Place(
                subject=subject,
                name=name,
                relation=relation,
                aspect=aspect,
                type="person" if new.frame in _PERSONAL else "concept",
            ),
            confidence=0.5,
        )


def _said(turn: Turn) -> str:
    return without_quotations(visible(turn.text)[:_LONGEST])


def _states(turn: Turn, before: str) -> tuple[Stated, ...]:
    return (*stated(_said(turn), before), *days(_said(turn)))


def _other(turn: Turn, back: Sequence[Turn]) -> str:
    """What another said just before."""
    if not back or name_key(back[0].speaker) == name_key(turn.speaker):
        return ""
    return back[0].text[:_LONGEST]


def _keeper(value: str, turn: Turn, back: Sequence[Turn]) -> str:
    """The name of whom a keeper's word means."""
    low = fold(value)
    if low == "you" and back:
        return back[0].speaker
    return turn.speaker if low in _SELF else value


def _person(value: str, turn: Turn, back: Sequence[Turn]) -> str:
    """Whom a keeper's word means."""
    return name_key(_keeper(value, turn, back))


def _owned(new: Stated, turn: Turn, back: Sequence[Turn]) -> Stated:
    """With the owner open where the clause leaves out whose it is and another was spoken of."""
    if new.owner or not leaves_out_who(new.clause):
        return new
    own = (each.text for each in back if name_key(each.speaker) == name_key(turn.speaker))
    return replace(new, owner="?") if any(map(speaks_of_another, own)) else new


def _meant(new: Stated, turn: Turn, before: str) -> str:
    """The words that say what a turn is about: of who keeps a matter, those of the question too."""
    return f"{turn.text} {before}" if new.frame == "keeper" and asks_who(before) else turn.text


def _of_anybody(new: Stated) -> bool:
    """Whether what another said may be overturned: who keeps a matter, a day both agreed on."""
    return new.frame == "keeper" or (new.frame == "day" and not new.begins)


def _proposed(new: Stated, old: Turn, back: Sequence[Turn]) -> bool:
    """Whether a day was accepted, and the turn before is what proposed it."""
    return new.frame == "day" and not new.begins and bool(back) and old.id == back[0].id


def _at_once(old: Turn, turn: Turn) -> bool:
    """Whether both were said in one go."""
    return old.time is not None and turn.time is not None and turn.time - old.time <= _ONE_GO


def _elsewhen(new: Stated, turn: Turn) -> bool:
    """Whether a clause tells of a year that is not the turn's."""
    return is_of_another_year(new.clause, turn.time.year if turn.time else None)


def _same_old(best: _Older, other: _Older, new: Stated) -> bool:
    """Whether another older turn states what the best one does, of the same matter."""
    if new.frame in ("home", "post") and new.owner != "?":
        return True
    if best.turn.id == other.turn.id or best.word not in words_of(other.turn.text):
        return False
    if new.frame == "keeper" and best.turn.speaker != other.turn.speaker:
        return False
    if best.said.value:
        return same_value(best.said.value, other.said.value)
    return best.said.owner == other.said.owner or "?" in (new.owner, other.said.owner)


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:79].rstrip()}…"
