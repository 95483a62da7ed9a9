"""English verbs that state a relation, most specific first. A rule sees the text from the verb on."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class VerbRule:
    """``pattern`` names its object ``o``, the old value ``r`` and the aspect ``a``.

    ``heads`` are first words that start a match; ``also`` is a second relation whose object is the
    group ``also_group``.
    """

    pattern: re.Pattern[str]
    relation: str
    heads: tuple[str, ...]
    only_people: bool = False
    also: str = ""
    also_group: str = "r"


def _v(
    heads: str,
    pattern: str,
    relation: str,
    *,
    people: bool = False,
    also: str = "",
    also_group: str = "r",
) -> VerbRule:
    return VerbRule(
        pattern=re.compile(pattern, re.IGNORECASE),
        relation=relation,
        heads=tuple(heads.split()),
        only_people=people,
        also=also,
        also_group=also_group,
    )


_O: Final = r"(?P<o>.+)"
_BE: Final = r"(?:am|is|are)"
_HAVE: Final = r"(?:(?:have|has|had)\s+)?"

VERB_RULES: Final[tuple[VerbRule, ...]] = (
    _v(
        "moved relocated have has",
        rf"{_HAVE}(?:moved|relocated)\s+(?:here\s+)?from\s+(?P<r>.+?)\s+to\s+(?P<o>(?!(?:next|the following)\b)[A-Z].*)",
        "lives_in",
        people=True,
        also="moved_from",
    ),
    _v(
        "moved relocated have has",
        rf"{_HAVE}(?:moved|relocated)\s+(?:back\s+|over\s+)?to\s+(?P<o>(?-i:[A-Z]).+)",
        "moved_to",
    ),
    _v(
        "moved move have has push postpone delay reschedule shift",
        rf"{_HAVE}(?:moved?|push|postpone|delay|reschedule|shift|pushed|postponed|delayed|rescheduled|shifted)\s+(?:the|our|my)\s+(?P<s>[\w -]+?)\s+(?:back\s+)?(?:from\s+(?P<r>.+?)\s+)?to\s+{_O}",
        "rescheduled",
    ),
    _v(
        "pushed postponed delayed rescheduled shifted",
        rf"(?:pushed|postponed|delayed|rescheduled|shifted)\s+(?:the|our|my)\s+(?P<s>[\w -]+?)\s+(?:back\s+)?(?:from\s+(?P<r>.+?)\s+)?to\s+{_O}",
        "rescheduled",
    ),
    _v(
        "moved was is has slipped got moves goes",
        r"(?:was|is|has been|has|got)?\s*(?:moved|moves|goes|pushed|postponed|delayed|rescheduled|shifted|slipped|slips|brought)\s+(?:back\s+|forward\s+|up\s+|out\s+|ahead\s+)?(?:from\s+(?P<r>.+?)\s+)?(?:to|until)\s+(?P<o>.+)",
        "scheduled_for",
    ),
    _v(
        "is are was will",
        r"(?:is|are|was|will be)\s+(?:now\s+)?(?:on\s+(?:sale\s+)?)?(?:scheduled|planned|set|due|booked)\s+(?:for|on|in)\s+(?P<o>.+)",
        "scheduled_for",
    ),
    _v(
        "live lives lived am is are reside resides",
        rf"(?:lives?|reside[sd]?|{_BE}\s+(?:living|based|settled))\s+in\s+{_O}",
        "lives_in",
        people=True,
    ),
    _v("lived", rf"lived\s+in\s+{_O}", "visited", people=True),
    _v("am is was were", rf"(?:am|is|was|were)\s+born\s+on\s+{_O}", "born_on", people=True),
    _v(
        "am is was were",
        r"(?:am|is|was|were)\s+born\s+in\s+(?P<o>(?-i:[A-Z]).+)",
        "born_in",
        people=True,
    ),
    _v(
        "work works am is are have has",
        rf"(?:works?|{_BE}\s+working|(?:have|has)\s+been\s+working)\s+as\s+{_O}",
        "works_as",
        people=True,
    ),
    _v(
        "work works am is are have has",
        rf"(?:works?|{_BE}\s+working|{_BE}\s+employed|(?:have|has)\s+been\s+working)\s+(?:at|for|with|by)\s+{_O}",
        "works_at",
        people=True,
    ),
    _v(
        "work works am is are have has",
        rf"(?:works?|{_BE}\s+working|(?:have|has)\s+been\s+working)\s+on\s+{_O}",
        "works_on",
        people=True,
    ),
    _v(
        "started got landed have has",
        rf"{_HAVE}(?:started|got|landed|took)\s+(?:a\s+)?(?:new\s+)?(?:job|position|role|work|working)\s+(?:at|with)\s+{_O}",
        "works_at",
        people=True,
    ),
    _v(
        "started got have has became am is",
        rf"{_HAVE}(?:started|got hired|became|took a job|got promoted)\s+(?:to\s+|as\s+)(?:an?\s+|the\s+)?{_O}",
        "works_as",
        people=True,
    ),
    _v("joined have has", rf"{_HAVE}joined\s+{_O}", "joined", people=True),
    _v(
        "am is are belong belongs",
        rf"(?:{_BE}\s+a\s+(?:\w+\s+)?member\s+of|belongs?\s+to)\s+{_O}",
        "member_of",
    ),
    _v("report reports", rf"reports?\s+to\s+{_O}", "reports_to"),
    _v(
        "manage manages lead leads run runs",
        r"(?:manages?|leads?|runs?)\s+(?!(?:every|on|for|in|at|to|along|around|with|most|four|three|five|ten|a\s+(?:half\s+)?marathon)\b|\d)(?P<o>(?:the|a|an|our|my)?\s*.+)",
        "manages",
        people=True,
    ),
    _v(
        "study studies am is are studied go goes attend attends",
        rf"(?:study|studies|studied|{_BE}\s+studying)\s+(?P<p>[\w ]+?)\s+at\s+(?P<o>(?-i:[A-Z]|the\s|a\s).+)",
        "studies_at",
        people=True,
        also="studies",
        also_group="p",
    ),
    _v(
        "study studies am is are attend attends",
        rf"(?:(?:study|studies|{_BE}\s+studying)\s+at|attends?)\s+{_O}",
        "studies_at",
        people=True,
    ),
    _v(
        "study studies am is are have has learn learns started",
        rf"(?:study|studies|{_BE}\s+(?:studying|learning)|learns?|(?:have|has)\s+been\s+(?:studying|learning)|started\s+(?:studying|learning))\s+(?:how\s+to\s+|to\s+)?{_O}",
        "studies",
        people=True,
    ),
    _v(
        "married am is got",
        r"(?:(?:am|is|got)\s+(?:married|engaged)\s+to|married)\s+(?P<o>(?-i:[A-Z]).+)",
        "partner_of",
        people=True,
    ),
    _v(
        "am is are have has",
        rf"(?:{_BE}|{_HAVE}been)\s+(?:\w+ly\s+)?allergic\s+to\s+{_O}",
        "allergic_to",
        people=True,
    ),
    _v(
        "have has",
        rf"(?:have|has)\s+an?\s+(?:\w+\s+)?allergy\s+to\s+{_O}",
        "allergic_to",
        people=True,
    ),
    _v(
        "have has", r"(?:have|has)\s+an?\s+(?P<o>[\w ]+?)\s+allergy\b.*", "allergic_to", people=True
    ),
    _v(
        "have has suffer suffers was am is got",
        r"(?:(?:have|has|got|suffers?\s+from|(?:was|am|is|been|have been|has been)\s+diagnosed\s+with)\s+)(?P<o>(?:type \d )?(?:diabetes|asthma|gastritis|migraines?|epilepsy|arthritis|celiac disease|coeliac disease|hypertension|high blood pressure|depression|anxiety|insomnia|anemia|anaemia|eczema|adhd|cancer)\b.*)",
        "has_condition",
        people=True,
    ),
    _v(
        "suffer suffers was am is have has",
        r"(?:suffers?\s+from|(?:was|am|is|have been|has been)\s+diagnosed\s+with)\s+(?P<o>.+)",
        "has_condition",
        people=True,
    ),
    _v(
        "am is are",
        rf"{_BE}\s+(?:an?\s+)?(?:lactose|gluten)[ -]intolerant.*",
        "intolerant",
        people=True,
    ),
    _v(
        "am is are became went have has turned",
        r"(?:am|is|are|became|went|turned|have (?:gone|become)|has (?:gone|become))\s+(?:an?\s+)?(?P<o>vegetarian|vegan|pescatarian)\b.*",
        "diet",
        people=True,
    ),
    _v(
        "hate hates hated dislike dislikes detest detests despise loathe loathes",
        rf"(?:hates?|dislikes?|detests?|despises?|loathes?)\s+{_O}",
        "dislikes",
        people=True,
    ),
    _v("can", rf"can\s+(?:stand|bear|tolerate)\s+{_O}", "stands", people=True),
    _v("am is are", rf"{_BE}\s+(?:sick|tired)\s+of\s+{_O}", "dislikes", people=True),
    _v(
        "love loves like likes enjoy enjoys adore adores fancy",
        rf"(?:loves?|likes?|enjoys?|adores?)\s+(?!how|that|it when|the way|what|when|your|you\b|this|these|those|his|her|their)(?:to\s+)?{_O}",
        "likes",
        people=True,
    ),
    _v(
        "am is are",
        rf"{_BE}\s+(?:a\s+(?:big\s+|huge\s+)?fan\s+of|crazy\s+about|into|fond\s+of|obsessed\s+with|keen\s+on)\s+{_O}",
        "likes",
        people=True,
    ),
    _v(
        "prefer prefers",
        r"prefers?\s+(?P<o>.+?)\s+(?:to|over|rather than|instead of)\s+(?P<r>.+?)(?:\s+for\s+(?P<a>.+))?$",
        "prefers",
        people=True,
    ),
    _v("prefer prefers", r"prefers?\s+(?P<o>.+?)(?:\s+for\s+(?P<a>.+))?$", "prefers", people=True),
    _v(
        "stopped quit gave avoid avoids do have has given",
        rf"(?:(?:have|has)\s+)?(?:stopped|quit|gave up|given up|avoids?)\s+(?:drinking|eating|using|taking|buying|smoking|doing|going to|watching)?\s*{_O}",
        "avoids",
        people=True,
    ),
    _v(
        "eat eats drink drinks smoke smokes touch",
        rf"(?:eats?|drinks?|smokes?)\s+{_O}",
        "consumes",
        people=True,
    ),
    _v(
        "switched switch changed migrated migrate moved have has went swapped",
        rf"{_HAVE}(?:switched|switch|migrate|migrated|changed|moved|went|swapped)\s+(?:over\s+)?from\s+(?P<r>.+?)\s+to\s+{_O}",
        "uses",
    ),
    _v(
        "switched switch migrated changed have has",
        rf"{_HAVE}(?:switched|switch|migrated|changed over)\s+(?:over\s+)?to\s+{_O}",
        "uses",
    ),
    _v("replaced have has", rf"{_HAVE}replaced\s+(?P<r>.+?)\s+(?:with|by)\s+{_O}", "uses"),
    _v(
        "changed raised lowered increased reduced cut set have has",
        rf"{_HAVE}(?:changed|raised|lowered|increased|reduced|cut|set)\s+(?:the|our|my)\s+(?P<s>[\w -]+?)\s+(?:from\s+(?P<r>.+?)\s+)?(?:to|at)\s+{_O}",
        "changed",
    ),
    _v(
        "use uses am is are have has",
        rf"(?:uses?|{_BE}\s+using|(?:have|has)\s+been\s+using)\s+{_O}",
        "uses",
    ),
    _v(
        "write writes code program",
        r"(?:writes?|codes?|programs?)\s+(?:in\s+)?(?P<o>(?-i:[A-Z])[\w.+#]*)\b.*",
        "uses",
        people=True,
    ),
    _v("tested test", rf"tested\s+(?P<s>.+?)\s+with\s+{_O}", "uses"),
    _v("own owns drive drives", rf"(?:owns?|drives?)\s+{_O}", "owns", people=True),
    _v(
        "have has got adopted",
        r"(?:have|has|got|adopted|have got|has got)\s+(?:an?\s+|two\s+|three\s+|\d\s+)(?P<o>(?:\w+\s+){0,2}(?:dogs?|cats?|puppy|puppies|kittens?|rabbits?|hamsters?|parrots?|horses?|turtles?|goldfish)(?:\s+(?:called|named)\s+[A-Z]\w+)?)\b.*",
        "has_pet",
        people=True,
    ),
    _v(
        "have has",
        r"(?:have|has)\s+(?P<o>(?:an?|one|two|three|four|\d)\s+(?:\w+\s+){0,2}(?:kids?|children|sons?|daughters?|brothers?|sisters?|siblings?)(?:\s+(?:called|named)\s+.+)?)$",
        "family_of",
        people=True,
    ),
    _v(
        "decided agreed chose settled opted have has",
        r"(?:(?:have|has)\s+)?(?:decided|agreed|chose|settled|opted)\s+(?:to\s+(?:go\s+with|use|pick|choose|stick with|keep)\s+|on\s+|for\s+|that\s+)?(?P<o>.+?)(?:\s+(?:for|as)\s+(?:the\s+|our\s+)?(?P<a>[\w -]+))?$",
        "decided",
    ),
    _v(
        "am is are plan plans intend",
        rf"(?:plans?\s+to|intends?\s+to|{_BE}\s+(?:planning\s+(?:to|on)|going\s+to(?=\s+[a-z])))\s+{_O}",
        "plans",
        people=True,
    ),
    _v(
        "am is are",
        rf"{_BE}\s+(?P<o>(?:moving|flying|travelling|traveling|relocating)\s+(?:back\s+)?to\s+.+|leaving\s+(?-i:[A-Z]).*)",
        "plans",
        people=True,
    ),
    _v(
        "will",
        r"will\s+(?P<o>(?:fly|travel|move|visit|start|join|attend|leave|launch|study|marry)\b.+)",
        "plans",
        people=True,
    ),
    _v(
        "want wants need needs am",
        rf"(?:wants?|am\s+looking\s+forward)\s+to\s+{_O}",
        "wants",
        people=True,
    ),
    _v(
        "want wants need needs",
        r"(?:wants?|needs?)\s+(?!you|me|us|him|her|them|it)(?P<o>(?:a|an|the|some|more|new|my|our)\s.+)",
        "wants",
        people=True,
    ),
    _v(
        "visited went was were have has",
        rf"(?:{_HAVE}visited|went\s+to|(?:was|were|have been|has been)\s+(?:in|to))\s+(?P<o>(?-i:[A-Z]).+)",
        "visited",
        people=True,
    ),
    _v(
        "bought purchased ordered have has",
        rf"{_HAVE}(?:bought|purchased|ordered)\s+{_O}",
        "bought",
    ),
    _v(
        "cost costs is are was",
        r"(?:costs?|(?:is|are)\s+priced\s+at)\s+(?:now\s+)?(?:us\s+|me\s+)?(?P<o>(?:about\s+|only\s+)?(?:[$€£¥]|EUR|USD|\d|\w+\s+(?:euros?|dollars?|pounds?|cents?)).*)",
        "costs",
    ),
    _v(
        "is was are",
        r"(?:is|are|was)\s+(?:now\s+)?(?P<o>[$€£¥]\s?\d.*|\d[\d.,]*\s?(?:euros?|dollars?|pounds?|cents?|EUR|USD|yuan|€|\$|£).*)",
        "priced",
    ),
    _v(
        "went goes dropped rose is",
        r"(?:went|goes|dropped|rose|fell)\s+(?:up\s+|down\s+)?(?:from\s+(?P<r>.+?)\s+)?to\s+(?P<o>[$€£¥]?\d.*)",
        "priced",
    ),
    _v(
        "is are comes",
        rf"(?:(?:is|are)\s+(?:supplied|provided|delivered)\s+by|comes\s+from)\s+{_O}",
        "supplied_by",
    ),
    _v(
        "is are was were",
        rf"(?:is|are|was|were)\s+(?:made|built|produced|manufactured)\s+by\s+{_O}",
        "made_by",
    ),
    _v(
        "is are",
        rf"(?:is|are)\s+(?:located|based|situated)\s+(?:in|at|on|near)\s+{_O}",
        "located_in",
    ),
    _v("is are", rf"(?:is|are)\s+(?:part\s+of|a\s+subsidiary\s+of|owned\s+by)\s+{_O}", "part_of"),
    _v("is are was am", r"(?:am|is|are|was)\s+(?:called|named)\s+(?P<o>(?-i:[A-Z]).+)", "named"),
    _v(
        "can",
        r"can\s+(?P<o>(?:speak|play|cook|drive|swim|code|sing|dance|ski|read|write|juggle|bake|draw|paint)\b.*)",
        "can",
        people=True,
    ),
    _v(
        "speak speaks",
        r"speaks?\s+(?P<o>(?-i:[A-Z])\w+(?:(?:,| and) [A-Z]\w+)*)",
        "can",
        people=True,
    ),
    _v("play plays", r"plays?\s+(?P<o>(?:the\s+)?\w+(?:\s\w+)?)\s*$", "likes", people=True),
    _v(
        "know knows",
        r"(?:knows?|met)\s+(?P<o>(?-i:[A-Z])[\w-]+(?:\s(?-i:[A-Z])[\w-]+)?)\s*$",
        "knows",
        people=True,
    ),
    _v(
        "admire admires",
        r"(?:admires?)\s+(?P<o>(?-i:[A-Z])[\w-]+(?:\s(?-i:[A-Z])[\w-]+)?)\s*$",
        "likes",
        people=True,
    ),
    _v(
        "has have became",
        r"(?:(?:has|have)\s+become|became)\s+(?P<o>[$€£¥]\s?\d.*|\d[\d.,]*\s?(?:euros?|dollars?|pounds?|cents?|EUR|USD|yuan|€|\$|£).*)",
        "priced",
    ),
    _v("am is are was", r"(?:am|is|are)\s+(?P<o>(?:an?|the)\s+.+)", "role", people=True),
    _v("is are was", rf"(?:is|are)\s+{_O}", "has_value"),
)
