"""Runs a command: `python -m clubapp COMMAND` (E1)."""

import gc
import os
import sys

gc.disable()  # what the imports load stays in memory: collecting meanwhile only takes time
from typer._click.exceptions import ClickException  # noqa: E402 - after gc.disable()

from clubapp.commands import app, usage_errors  # noqa: E402 - as above

gc.enable()


def main() -> None:
    """Run one command. Exits with 0 when done, 1 on failure, 2 on wrong usage, 130 when interrupted."""
    # What a club keeps is for its own user; what was built, another user may serve.
    os.umask(0o022 if sys.argv[1:2] == ["build"] else 0o077)
    try:
        sys.exit(app(prog_name="clubapp", standalone_mode=False) or 0)
    except ClickException as error:
        sys.stderr.write(f"{usage_errors.describe(error)}\n")
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:  # a known one is printed in one line, any other is raised
        from clubapp.commands.error_lines import explain

        line = explain(error)
        if line is None:
            raise
        sys.stderr.write(f"{line}\n")
        sys.exit(1)


if __name__ == "__main__":
    main()
