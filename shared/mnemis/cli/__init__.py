"""The ``mnemis`` command: thin verbs over the public API.

Exit codes: 0 done, 1 Mnemis could not do it (the reason is on stderr), 2 wrong usage,
130 interrupted.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from mnemis.cli.parser import build_parser
from mnemis.cli.request import Request
from mnemis.errors import MnemisError, StoreLocked


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; raises SystemExit(2) on wrong usage.

    >>> main(["scopes", "--store", "no-such-folder"])
    1
    """
    request = build_parser().parse_args(argv, namespace=Request())
    try:
        code = request.run(request)
        sys.stdout.flush()
        return code
    except StoreLocked as error:
        what = str(error).split(";")[0]
        print(f"mnemis: {what}; try again when it is done", file=sys.stderr)  # noqa: T201
        return 1
    except MnemisError as error:
        print(f"mnemis: {error}", file=sys.stderr)  # noqa: T201 the command's way to speak
        return 1
    except KeyboardInterrupt:
        print("mnemis: interrupted; what was stored stays", file=sys.stderr)  # noqa: T201
        return 130
    except BrokenPipeError:
        # The reader (head, less) has seen enough; keep Python from complaining at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
