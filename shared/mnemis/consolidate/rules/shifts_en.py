"""English ways to say who does what, what somebody lives on, likes or belongs to, and that this is
no longer so: patterns of frames, for ``shifts``.

A frame is a kind of statement of which one holds at a time: who keeps a matter, an address, a post.
"""

from __future__ import annotations

import re
from typing import Final

from mnemis.consolidate.rules.values import MONTH, WEEKDAY


def _p(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


NAME: Final = r"(?!I['’])(?-i:[A-ZÀ-Þ])[\w’'-]*[\wà-ÿ](?:\s(?-i:[A-ZÀ-Þ])[\w-]*\w)?"
_WHEN: Final = rf"(?:now\s+on|{MONTH}|{WEEKDAY}|next\s+\w+|this\s+\w+|today|tomorrow|the\s+\w+\s+on|last\s+\w+)"

BEGINS: Final = _p(
    rf"\b(?:from\s+{_WHEN}|as\s+of\s+\w+|since\s+(?:last|{MONTH}|{WEEKDAY}|easter|christmas|the\s+\w+)|starting\s+{_WHEN}|"
    r"(?<!for )(?<!right )(?<!until )(?<!by )now(?!\s+that)|these\s+days|nowadays|instead|for\s+good|going\s+forward|"
    r"new\s+\w+|moved|switched|changed|swapped|replaced|any\s?more|no\s+longer|after\s+all|in\s+the\s+end)\b"
)
"""That what a sentence says is new."""

STAYS: Final = _p(
    r"\b(?:still|as\s+(?:ever|before|usual|always|they\s+are|it\s+is|it\s+was)|stay(?:s|ing|ed)?|same|unchanged|remains?|"
    r"where\s+it\s+was|never\s+(?:moves|changes)|keep(?:s|ing)?\s+(?:the|my|our|his|her)|back\s+home)\b"
)
"""That what a sentence says is not new."""

OWNERS: Final = _p(
    r"\b(?:(?:my|our|his|her|their|your|the)\s+(?:\w+\s+)?(?P<k>sisters?|brothers?|mums?|moms?|mother|dads?|father|parents|wife|husband|partner|"
    r"girlfriend|boyfriend|daughters?|sons?|kids?['’]?|children|boys|girls|twin|cousins?|aunt|uncle|nan|gran\w*|niece|nephew|flatmates?|roommates?|"
    r"boss|colleagues?|neighbou?rs?|friends?)(?:['’]s)?)\b"
)
NAMED_OWNER: Final = re.compile(r"^(?P<k>[A-ZÀ-Þ][\wà-ÿ-]+)(?:['’]s)?\s+[a-z]")
FIRST: Final = _p(r"\b(?:I|me|mine|we|us|ours|I['’]\w+|we['’]\w+)\b")

ROLE: Final = r"(?:dentist|doctor|gp|physio\w*|therapist|trainer|coach|teacher|tutor|boss|manager|supervisor|landlord|landlady|accountant|lawyer|agent|hairdresser|cleaner|nanny|carer|nurse|mechanic|vet)"
KEEPS: Final = _p(
    rf"\b(?:(?:am|is|are|be|been|['’]m|['’]s)\s+(?:now\s+|still\s+)?(?:in\s+charge\s+of|responsible\s+for|running\s+(?:the|our)|leading\s+(?:the|our)|heading\s+(?:the|our)|organi[sz]ing\s+(?:the|our)|looking\s+after|taking\s+care\s+of|handling|doing\s+the|the\s+one\s+who)|"
    rf"look(?:s)?\s+after\s+(?:the|our|all)|takes?\s+care\s+of\s+(?:the|our|all)|sees?\s+to\s+(?:the|our)|handles?\s+(?:the|our|all)|organi[sz]es?\s+(?:the|our)|coordinates?\s+(?:the|our)|deals?\s+with\s+(?:the|our|all)|"
    rf"(?:does|runs|keeps|leads|manages|heads)\s+(?:the|our)\b|I\s+(?:do|run|lead|manage|keep)\s+(?:the|our)\b|(?:goes?|lands?)\s+(?:through|with|to)\s+(?:me|{NAME})|(?:is|are)\s+with\s+(?:me|{NAME})(?=\s*[,.;]|\s+(?:as|now|from)\b|$)|"
    rf"(?:my|his|her|our|{NAME}['’]s)\s+(?:job|task|baby|department|turf)(?!\s+(?:at|as|in|with|hunt|search|interview|is|was))|on\s+(?:my|his|her|their|{NAME}['’]s)\s+(?:plate|desk|list)|(?:write|talk|speak|go|turn)\s+to\s+(?:me|{NAME})\s+(?:about|for|if|with|when)|(?:is|are)\s+(?:mine|hers|his|{NAME}['’]s)\s+(?:now|from)|(?:our|the|my)\s+contact\s+(?:at|for|is)|(?:my|our)\s+(?:new\s+)?{ROLE}\s*(?:is\b|,)|new\s+{ROLE}\s*[,:])"
)
TAKES: Final = _p(
    r"\b(?:tak(?:e|es|ing|en)\s+(?:\w+\s+)?over|took\s+(?:\w+\s+)?over|tak(?:es?|ing)\s+on\s+the|hand(?:s|ed|ing)?\s+(?:[\w'’]+\s+){0,4}(?:over|on)\b|"
    r"pass(?:es|ed|ing)?\s+(?:[\w'’]+\s+){1,4}(?:on\s+)?to\b|inherit(?:s|ed|ing)|step(?:s|ped|ping)\s+down\s+as\b|(?:tak(?:es?|en|ing)|took)\s+the\s+reins|off\s+my\s+hands|passed\s+the\s+(?:torch|baton)|not\s+me\s+any\s?more|the\s+new\s+(?:treasurer|secretary|chair\w*|captain|organi[sz]er|coordinator|lead|head|editor|caretaker|contact)\b|step(?:s|ped|ping)\s+in\b|given\s+(?:[\w'’]+\s+){1,3}to\b)"
)
"""That somebody has a matter now, whatever words tell the rest."""

WHO: Final = _p(
    r"\bwho(?:['’]s|\s+(?:is|are|do|does|will|should|can|has|keeps?|handles?|approves?|runs?|leads?|organi[sz]es?|takes?|makes?|does|gets?|signs?|looks?|picks?))\b"
)
"""A question for who does something."""

KEEPER: Final = (
    _p(
        rf"\b{ROLE}\s*(?:is\s+(?:now\s+)?|,\s*|:\s*)(?P<v>(?:Dr\.?\s+|Mr\.?\s+|Mrs\.?\s+|Ms\.?\s+)?{NAME})"
    ),
    _p(rf"\b(?:to|by|with|through)\s+(?P<v>{NAME}|me|you)\b"),
    _p(rf"\b(?P<v>{NAME})['’]s\s+(?:job|task|baby|department|turf|plate|desk|list)"),
    _p(rf"\b(?:it['’]s|that['’]s|contact\s+(?:\w+\s+){{0,4}}is|ask)\s+(?P<v>{NAME}|me|you)\b"),
    _p(
        rf"\b(?P<v>{NAME})(?:['’]s)?\s+(?:(?:is|has|will|now|be|been|also|still|from|took|takes?|does|did|look\w*|lead\w*|run\w*|handl\w+|do|manage\w*|head\w*|organi\w+|deal\w*|see\w*|tak\w+|keep\w*|coordinat\w+|inherit\w*|step\w*)\b)"
    ),
    _p(r"\b(?P<v>I|me|my)\b(?!['’]?d\b)"),
)
BARE_KEEPER: Final = _p(rf"^(?:that\s+would\s+be\s+|now\s+)?(?P<v>{NAME}|me|you)(?=\s*[,.!]|$)")
"""Who is named in reply to a question for who."""
NOT_KEEPERS: Final = frozenset(
    "the a an and but so oh from it that this who what when where since as we he she they you my our "
    "hi hey hello sure thanks thank wow great cool nice yeah yep yup ok okay hmm haha lol sorry please "
    "maybe probably definitely absolutely exactly right true good awesome nobody everyone everybody "
    "someone user assistant let lets now just some any all both each one "
    "in on at for anything everything then there yes no ok well anyway also still not of to".split()
)

STREET: Final = (
    r"(?:\d{1,4}[a-z]?\s+)?(?-i:[A-ZÀ-Þ])[\w'’-]+(?:\s(?-i:[A-ZÀ-Þ])[\w'’-]+){0,2}\s"
    r"(?:Street|St|Road|Rd|Lane|Ln|Avenue|Ave|Row|Terrace|Close|Court|Drive|Square|Place|Way|Crescent|Gardens|Hill|Grove|Walk|Mews|Yard|Quay)\b"
)
ADDRESS: Final = _p(
    rf"^(?:(?:oh|so|well|it['’]s|to|at|that['’]s|now|still|just)[\s,]+)*(?P<v>{STREET})"
)
LIVES: Final = _p(
    rf"\b(?:I|we)(?:['’]m|['’]re|['’]ve|\s+am|\s+are|\s+have)?\s+(?:now\s+|just\s+|still\s+)?(?:live|living|moved|based|staying)\s+(?:in|at|on|to|into)\s+(?P<v>{STREET})"
    rf"|\b(?:new\s+(?:place|flat|house|home|address)(?:['’]s|\s+is)?|keys\s+(?:to|for))\s+(?:on\s+|at\s+|in\s+)?(?P<w>{STREET})"
)
NUMBER: Final = _p(
    r"\b(?:my|new)\s+(?:new\s+)?(?:phone\s+|mobile\s+|cell\s+)?number\b[^.\d]{0,20}(?P<v>\+?\d[\d -]{5,}\d)"
)
NEW_NUMBER: Final = _p(
    r"\bnew\s+(?:phone\s+|mobile\s+|cell\s+)?number\b|\bnumber\s+(?:has\s+)?changed\b"
)
ASKS_ADDRESS: Final = _p(
    r"\b(?:send|post|mail|deliver|address|envelope|live|living|moving|moved?|write\s+to|stay|staying|find\s+you|pick\s+you\s+up|parcel|card)\b"
)
NOT_HOME: Final = _p(
    r"\b(?:office|work|shop|school|studio|practice|company|restaurant|meet(?:ing)?)\b"
)

JOB: Final = _p(
    r"\b(?:I\s+work\s+(?:at|for|as|in|with|nights|days|part|full)\b|I['’]m\s+working\s+(?:at|for|as|nights|part|full)\b|I['’]m\s+an?\s+\w+(?:er|or|ist|ian|ant|man|nurse|cook|chef|clerk)\b|(?:I['’]m|been)\s+on\s+(?:nights|days|shifts?)\b|long\s+shift|\w+\s+(?:years?|months?)\s+(?:on|at|in|with)\s+the\b|"
    r"I\s+(?:teach|nurse|drive\s+for|sell|cook\s+at|clean\s+for|wait\s+tables|restore|paint\s+sets)\b|my\s+(?:patients|customers|pupils|ward|classroom)\b|I\s+(?:bake|cook|deliver|repair|design|code|drive|clean|guide|translate|manage)\s+(?:[\w ]{1,20}\s)?(?:for|at)\s+(?:an?|the)\b|I['’]ve\s+signed\s+with|signed\s+(?:on\s+)?with\s+an?|my\s+job\s+(?:at|is)|my\s+shift)"
)
JOB_NEW: Final = _p(
    r"\b(?:(?:let|moved|put|transferred|sent|switched|promoted)\s+me\s+(?:(?:go|move|switch|transfer)\s+)?(?:across|over|up)?\s*to|I(?:['’]ve|['’]ll|['’]m|\s+have)?\s+(?:just\s+)?start(?:ed|ing)?\s+(?:work(?:ing)?\s+|(?:a|my)\s+(?:new\s+)?job\s+)?(?:at|as)\s|first\s+(?:day|week|month)\s+(?:at|in|as|done|over)|(?:got|have|landed|found|taken|start\w*)\s+(?:a|my|the)\s+new\s+(?:job|post|position|role)|new\s+(?:job|post|position|role)\s+(?:at|as|with)\b|"
    r"I\s+(?:now\s+)?work\s+(?:at|for|as|in)\b.*\bnow|these\s+days\s+I\s+\w+|I['’]m\s+(?:now\s+)?an?\s+[\w ]+\s+now|(?:made|named|appointed)\s+me\s+(?:an?\s+|the\s+)?(?:\w+\s)?(?:head|chief|manager|lead|leader|director|assistant|deputy|captain|partner)\b|(?:promoted|hired|taken\s+on)\s+(?:to|as)\s+\w+|been\s+(?:hired|promoted|taken\s+on)|first\s+shift\s+as|retrain(?:ed|ing)\s+as|(?:changed|switched)\s+(?:jobs|careers)|left\s+(?:the|my)\s+(?:\w+\s)?(?:job|bank|firm|office|company|hospital|agency|kitchen)\b|I\s+(?:now|currently)\s+(?:teach|run|drive|sell|bake|cook|manage|work)\b|new\s+employer|I['’]ve\s+retired|got\s+the\s+job|I(?:['’]ve|\s+have)?\s+(?:joined\s+(?:(?-i:[A-ZÀ-Þ])|the\s+(?:team|staff|firm|company))|(?:become|became)\s+an?\s+\w+(?:er|or|ist|ian|ant)\b|gone\s+over\s+to)|handed\s+in\s+my\s+notice|apprentice)\b"
)

ENDS: Final = _p(
    r"\b(?:pack(?:ed|ing)?\s+(?:the\s+|my\s+)?[\w-]+(?:\s[\w-]+)?\s+in|pack(?:ed|ing)?\s+in\s+the|(?:I|we)(?:['’]ve|\s+have)?\s+(?:\w+ly\s+)?(?:quit|dropped(?!\s+(?:off|by|in))|gave\s+up|given\s+up|cancell?ed|stopped\s+(?:going|doing|taking|playing)|sold|got\s+rid\s+of|gave\s+away|given\s+away|dropped\s+out|resigned|broke\s+up|broken\s+up|split\s+up|pulled\s+out|called\s+(?:it\s+)?off|unsubscribed|let\s+(?:the|my)\s+\w+\s+(?:lapse|go))|"
    r"(?:is|are|was)\s+(?:now\s+|all\s+)?(?:over|history|finished|no\s+more|closed\s+for\s+good|gone\s+for\s+good)|and\s+I\s+(?:have\s+|are\s+)?(?:split|broke|called\s+it\s+quits|over|no\s+longer|not\s+together)|drove\s+it\s+(?:off|away)|"
    r"(?:don['’]t|doesn['’]t|do\s+not)\s+(?:[\w'’]+\s+){1,5}any\s?more|no\s+longer\s+(?:go|do|have|take|play|own|belong|see|train|volunteer|subscribe)|hung\s+up\s+(?:my|the)|called\s+it\s+a\s+day|parted\s+ways|(?:club|group|band|shop|studio|class|team)\s+(?:has\s+)?(?:folded|disbanded|closed\s+down|shut\s+down)|trad(?:ed|ing)\s+(?:it|the\s+\w+)\s+in|wrote\s+(?:it|the\s+\w+)\s+off|closed\s+(?:the|my)\s+account|threw\s+in\s+the\s+towel|bowed\s+out|not\s+(?:mine|ours)\s+any\s?more|for\s+the\s+last\s+time|handed\s+(?:back|in)\s+(?:the|my)|returned\s+the\s+keys)\b"
)
"""That something somebody did, had or belonged to is over."""

ONCE: Final = _p(
    rf"\b(?:today|tomorrow|tonight|yesterday)['’]s\b|\b(?:this|next)\s+(?:week|month|time|{WEEKDAY})(?:['’]s)?\b|\bon\s+{WEEKDAY}\s+(?:is|was)\b|\b{WEEKDAY}['’]s\b"
)
"""That only one occasion is over."""
LASTS: Final = _p(
    r"\b(?:I\s+have|I['’]ve\s+got|we['’]ve\s+got|we\s+have|I\s+(?:go|do|play|train|take|sing|swim|volunteer|dance|own|drive|ride)|I['’]m\s+(?:in|on|with|seeing|dating|learning|taking|doing|a\s+member)|every\s+\w+|\w+days?\s+I|on\s+\w+days?|"
    r"twice\s+a|once\s+a|member|class|course|lessons?|together|(?:has|got)\s+an?\s+\w+)\b"
)
"""That something goes on: what can come to an end."""

TASTE: Final = _p(
    r"\b(?:always|favou?rite|I\s+(?:love|like|prefer|eat|drink|take|listen|read|watch|need|want|only)|for\s+me|every\s+(?:day|morning|evening|night)|nothing\s+(?:but|beats)|can['’]t\s+(?:live|start)\s+without|my\s+(?:usual|go-to|order)|I\s+swear\s+by|addicted\s+to|only\b.{1,30}\bfor\s+me)"
)
TASTE_TURNS: Final = _p(
    r"\b(?:can['’]t\s+(?:look\s+at|stand|stomach|face|bear)\b.*\bany\s?more|I(?:['’]ve|\s+have)?\s+(?:gone|went)\s+off\s+(?!to\b)|fed\s+up\s+with|(?:sick|tired)\s+of\s+(?!it\b)|hooked\s+on|(?:now\s+I['’]d|I['’]d\s+now)\s+rather|scrap\s+that|over\s+(?:my|the)\s+\w+\s+phase|"
    r"converted\s+to|(?:is|are)\s+what\s+makes?\s+me\s+happy|these\s+days\s+(?:it['’]s|I\s+(?:prefer|like|love|eat|drink|take|listen|read|watch))|no\s+longer\s+(?:love|like|enjoy|eat|drink|fancy)|(?:I['’]m|I['’]ve\s+become|turned\s+into)\s+an?\s+[\w -]{2,20}\s(?:person|convert|drinker)\s+now|gone\s+back\s+to\s+(?!school|work|the)|can['’]t\s+get\s+enough\s+of|isn['’]t\s+my\s+thing\s+any\s?more|my\s+new\s+favou?rite|(?:switched|come\s+round)\s+to\s+(?!the\b)|grown\s+out\s+of|lost\s+(?:my\s+)?(?:taste|appetite)\s+for|"
    r"(?:don['’]t|do\s+not)\s+(?:really\s+)?(?:like|love|enjoy|eat|drink|fancy|want)\s+[\w ]{1,30}any\s?more)\b"
)

CALLS: Final = _p(
    rf"\b(?:(?:is|are|was|been)\s+(?:now\s+)?(?:called|named)|(?:call|renam|nam|christen)(?:ed)?\s+(?:it|him|her|them|ourselves|itself)|named\s+(?:it|him|her|them)|answers?\s+to|goes\s+by|go\s+by|(?:play|trade|publish|sell|perform|write|operate|known|trading|going)\s+(?:now\s+)?(?:as|under\s+the\s+name))\s+(?:the\s+name\s+(?:of\s+)?)?(?P<v>{NAME})"
    rf"|\b(?:sign|plate|papers|door|cover|label|header)\s+(?:now\s+)?(?:says?|say|reads?)\s+(?P<w>{NAME})|^so\s+(?P<x>{NAME})\s+(?:he|she|it)\s+is\b"
)
NAME_TURNS: Final = _p(
    r"\b(?:renam\w+|re-?christen\w+|re-?brand\w+|new\s+name|(?:chang|dropp?|ditch)\w*\s+(?:the|its|our|his|her)\s+name|(?:stand|hat)\w*\s+the\s+name|name\s+(?:was|is)\s+taken)\b"
)
ASKS_NAME: Final = _p(r"\bcalled\b|\bnames?\b|\bcall\s+(?:it|her|him|them|yourselves)\b|\btitle\b")
BARE_NAME: Final = re.compile(rf"^(?P<v>{NAME})[.!]?$")

AMOUNT: Final = _p(
    r"(?<![\w.:/-])(?P<v>[$€£¥]\s?\d[\d,]*(?:\.\d\d)?|(?!(?:19|20)\d\d\b)\d{2,6}(?:[.,]\d\d)?)(?![\w%]|[:/-]\d|\.\d|\s?(?:am|pm|%|percent|years?|yrs|minutes?|mins?|hours?|days?|weeks?|months?|km|miles?|people|times|pages?|seats|degrees|commits?|tests?|users?|items?|words|lines|of\b)|,\d)"
)
PRICED: Final = _p(
    r"\b(?:rent|pay|pays|costs?|price[sd]?|fees?|charges?|charging|wants?\s+\d|bill|(?:a|per|each|every)\s+(?:month|week|year|day|hour|lesson|class|session|night|person|term|saturday|sunday)|monthly|weekly|\d+\s+each|premium|fare|childcare|nursery|insurance|allowance|pocket\s+money|salary|wages?|budget\s+(?:is|of|for)|deposit|landlord|landlady|subscription|membership|tuition|on\s+\d+\s+\w+\s+a|euros?|dollars?|pounds?|kroner|kr|quid|bucks|francs|[€$£])\b|[€$£]"
)
RAISED: Final = _p(
    r"\b(?:as\s+of|from\s+(?:\w+\s)?\w+\s+on|went\s+up|gone\s+up|goes\s+up|going\s+up|up\s+to|rais(?:ed?|es|ing)|hik\w+|put(?:s|ting)?\s+(?:\w+\s+){1,3}up|increas\w+|cut|dropp\w+|lower\w*|down\s+to|knocked|bumped|instead|off\s+each\s+of\s+us|now|wants?\s+\d+|went\s+from|new\s+(?:price|rate|rent|fee)|doubled|halved|discount\w*|cheaper|dearer)\b"
)
RAISES: Final = _p(
    r"\b(?:as\s+of|went\s+up|gone\s+up|goes\s+up|going\s+up|rais(?:ed?|es|ing)|hik(?:ed|es)|put(?:s|ting)?\s+(?:the\s+)?(?:rent|price|fee|fees|prices)\s+up|off\s+each\s+of\s+us|wants?\s+\d+|dearer|cheaper)\b"
)
"""That an amount went up or down, in words that are said of prices alone."""
PAID: Final = _p(
    rf"\b(?:paid|bill|bills|invoice|spent|bought|sold|receipt)\b|\b{MONTH}['’]s\b|\b(?:in|for)\s+{MONTH}\b"
)
"""A payment of one time, which no other payment overturns."""

PROPOSES: Final = _p(
    r"\b(?:would|could|can|how\s+about|what\s+about|shall|let['’]s\s+say|does|do|is)\b.*\?|\blet['’]s\s+(?:say|do|make\s+it)\b|\b(?:offered|suggested|proposed|suggest|propose|only\s+slot|free\s+on|fit\s+(?:me|us)\s+in|I\s+(?:can|could)\s+do|we\s+could\s+do)\b"
)
AGREES: Final = re.compile(
    r"^(?:(?:yes|yeah|yep|sure|ok(?:ay)?|fine|great|perfect|deal|done|agreed|good|alright|lovely|brilliant|cool|right)\b|works\b|that\s+works|suits\s+me|i['’]?m\s+in|i\s+can\s+do|sounds\s+good|fine\s+by\s+me|see\s+you|count\s+me\s+in|(?:so|then)\s+(?:it['’]s\s+)?the\s+\d|[\w ]{2,24}\s+it\s+is\b)",
    re.IGNORECASE,
)
_SPOT: Final = r"(?:in|at|above|behind|inside|under|opposite|next\s+to)\s+(?P<v>(?:\d+\s+)?(?:the|an?|our|(?-i:[A-ZÀ-Þ])[\w'’-]+)(?:\s(?!and|on|with|so|which|where|every|for|since)[\w'’-]+){0,3})"
PLACE: Final = _p(
    rf"\b(?:(?:it|that|office|shop|studio|gym|clinic|school|company|workshop|class|practice|training|rehearsals?|club|group|circle|lessons?|market|meetings?|course|choir|band|team|we|they)(?:['’]s|['’]re|\s+(?:is|are|was|meets?|trains?|rehearses?|practi[sc]es?|plays?|gathers?|takes\s+place|happens?))\s+(?:now\s+|held\s+|still\s+|always\s+)?{_SPOT}"
    rf"|(?:moved|relocated|has\s+us|have\s+us|put\s+us|sent\s+us)\s+(?:over\s+|now\s+)?(?:to|in|into|at)\s+(?P<w>(?:\d+\s+)?(?:the|an?|(?-i:[A-ZÀ-Þ])[\w'’-]+)(?:\s(?!and|on|with|so|which|where|every|for|since)[\w'’-]+){{0,3}}))"
)
MOVES: Final = _p(
    r"\b(?:moved|relocated|new\s+(?:venue|room|hall|studio|location)|(?:has|have|put|sent)\s+us\s+(?:now\s+)?(?:in|at|to|into))\b"
)
