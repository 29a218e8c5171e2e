"""Stands between a door's world and its door.py."""

import sys
import traceback

import door
from componentize_py_types import Err


def _of(owner, name):
    """What is to be there, while the door is built."""
    found = getattr(owner, name, None)
    if found is None:
        there = ", ".join(n for n in dir(owner) if not n.startswith("_"))
        raise SystemExit(f"door.py: expected {name}, which the WIT exports; found {there or 'nothing'}")
    return found


def _opened(owner, name, says_errors):
    function = _of(owner, name)

    def opened(self, *arguments):
        try:
            result = function(*arguments)
            sys.stdout.flush()
            return result
        except Err:
            raise
        except Exception as error:
            if not says_errors:
                raise
            traceback.print_exc()
            raise Err(f"{type(error).__name__}: {error}{_place(error)}") from None

    return opened


def _place(error):
    """Where in the door's own sources it went wrong."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if not frame.filename.endswith("doorlist_app.py")]
    if not own:
        return ""
    return f" ({own[-1].filename.rsplit('/', 1)[-1]}, line {own[-1].lineno})"
