"""``python -m mnemis`` is the ``mnemis`` command."""

import sys

from mnemis.cli import main

if __name__ == "__main__":
    sys.exit(main())
