"""What stands behind the engine's ports: extraction by chat model or from what was recorded, and
rerankers.

from mnemis.models import ChatExtractor, ChatReranker, CrossEncoderReranker, RecordedExtractor
"""

from mnemis.models.chat_extractor import ChatExtractor
from mnemis.models.chat_reranker import ChatReranker
from mnemis.models.cross_encoder import CrossEncoderReranker
from mnemis.models.recorded import RecordedExtractor, RecordedFact

__all__ = [
    "ChatExtractor",
    "ChatReranker",
    "CrossEncoderReranker",
    "RecordedExtractor",
    "RecordedFact",
]
