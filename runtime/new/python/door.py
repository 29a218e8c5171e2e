"""The door NAME. What it prints goes to the trace."""

from componentize_py_types import Err


def greet(name: str) -> str:
    if not name:
        # The door's own error, as it is. Any other exception is one too, with its line.
        raise Err("expected a name")
    return f"Hello, {name}!"
