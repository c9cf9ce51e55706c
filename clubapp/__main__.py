"""The commands: `python -m clubapp COMMAND` (E1)."""

import gc
import sys

gc.disable()  # what is loaded stays, and would be looked through for nothing
from clubapp.commands import app  # noqa: E402 - the line above is for what this loads

gc.enable()


def main() -> None:
    """Run one command: exit 0 when done, 1 when it failed, 2 when it was called wrongly."""
    try:
        app(prog_name="clubapp")
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:  # whatever it is becomes one line, or goes on
        from clubapp.commands.error_lines import explain

        line = explain(error)
        if line is None:
            raise
        sys.stderr.write(f"{line}\n")
        sys.exit(1)


if __name__ == "__main__":
    main()
