"""What people do for a living, in English."""

from __future__ import annotations

import re
from typing import Final

PROFESSION: Final = re.compile(
    r"(?:^|\s)(?:\w+(?:ist|ian|eer|yer|ctor|cher|ecturer)|nurse|chef|cook|vet|student|writer|designer|"
    r"developer|programmer|baker|painter|singer|dancer|actor|actress|manager|accountant|consultant|"
    r"analyst|plumber|builder|farmer|driver|pilot|waiter|waitress|barista|photographer|translator|"
    r"editor|producer|researcher|scientist|professor|coach|trainer|carpenter|architect|lawyer|judge|"
    r"surgeon|paramedic|firefighter|police officer|soldier|clerk|cashier|salesperson|c[efot]o|founder|"
    r"intern|freelancer|owner|officer|gardener|tutor|therapist|counselor|counsellor|assistant|lead|"
    r"midwife|physicist|author)$",
    re.IGNORECASE,
)


def is_profession(text: str) -> bool:
    """Whether a phrase names what somebody does for a living."""
    return len(text.split()) <= 5 and bool(
        PROFESSION.search(text.split(" at ")[0].split(" in ")[0])
    )
