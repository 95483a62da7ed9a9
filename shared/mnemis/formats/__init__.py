"""Reading files of conversations: JSON lines, pools, ChatGPT exports and plain transcripts."""

from mnemis.formats.read import FORMATS, Format, detect, read_file, read_text
from mnemis.formats.reading import Conversation, Reading

__all__ = ["FORMATS", "Conversation", "Format", "Reading", "detect", "read_file", "read_text"]
