"""What chat models and cross-encoders do for the engine: extract, and reorder hits.

from mnemis.models import ChatExtractor, ChatReranker, CrossEncoderReranker
"""

from mnemis.models.chat_extractor import ChatExtractor
from mnemis.models.chat_reranker import ChatReranker
from mnemis.models.cross_encoder import CrossEncoderReranker

__all__ = ["ChatExtractor", "ChatReranker", "CrossEncoderReranker"]
