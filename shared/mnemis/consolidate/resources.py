"""What every stage that computes may use besides the view."""

from __future__ import annotations

from dataclasses import dataclass, field

from mnemis.config import Config
from mnemis.consolidate.ledger import Ledger
from mnemis.ports.clock import Clock
from mnemis.ports.embedder import Embedder
from mnemis.ports.extractor import Extractor


@dataclass(frozen=True, slots=True, kw_only=True)
class Resources:
    """Models, clock, settings, and the ledger of one call. ``extractor`` is None for rules."""

    embedder: Embedder
    extractor: Extractor | None
    clock: Clock
    config: Config
    ledger: Ledger = field(default_factory=Ledger)
