"""The shape of the house: small files, small functions, names that say something, one reader of each thing."""

import ast
import re
from collections import Counter
from pathlib import Path

from tests.architecture.sources import ROOT, dotted, nodes, our_files, python_files, read, trees

LONGEST_FILE, LONGEST_FUNCTION = 400, 40
MOST_MODULES, MOST_AT_THE_ROOT = 20, 12
# Tests read from top to bottom, and their tables are long.
LONGEST_TEST_FILE = 420
SAYS_NOTHING = {"utils", "util", "helpers", "helper", "manager", "common", "misc", "data", "process"}
READS_THE_TIME = ("datetime.now", "datetime.utcnow", "datetime.today", "date.today", "time.time")
# settings reads the environment; the others hand it on to a process they start.
TOUCH_THE_ENVIRONMENT = {
    "clubapp/settings.py",
    "clubapp/frontend_build.py",
    "clubapp/serving/server.py",
    "clubapp/commands/site.py",
    "clubapp/services/backups/drill.py",
}


def lines(path: Path) -> int:
    return len(read(path).splitlines())


def test_files_are_short() -> None:
    assert not [path for path in python_files("clubapp") if lines(path) > LONGEST_FILE]
    assert not [path for path in python_files("tests") if lines(path) > LONGEST_TEST_FILE]


def test_no_folder_holds_more_than_one_can_look_over() -> None:
    folders = Counter(path.parent for path in python_files("clubapp") if path.stem not in ("__init__", "__main__"))
    assert folders[ROOT / "clubapp"] <= MOST_AT_THE_ROOT
    assert not [folder for folder, modules in folders.items() if modules > MOST_MODULES]


def test_functions_are_short() -> None:
    assert not [
        f"{path}:{node.lineno} {node.name}"
        for path, node in nodes(ast.FunctionDef, ast.AsyncFunctionDef)
        if (node.end_lineno or 0) - node.lineno >= LONGEST_FUNCTION
    ]


def test_no_module_has_a_name_that_says_nothing() -> None:
    assert not [path for path in python_files("clubapp", "tests") if path.stem in SAYS_NOTHING]


def test_no_two_public_classes_have_one_name() -> None:
    named = Counter(
        node.name
        for _, tree in trees("clubapp")
        for node in tree.body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert not [name for name, times in named.items() if times > 1]


def test_every_module_says_what_lives_there() -> None:
    begun_otherwise = [path for path in python_files("clubapp", "tests") if not re.match(r'"""[^"\s]', read(path))]
    silent = [path for path in begun_otherwise if (tree := ast.parse(read(path))).body and not ast.get_docstring(tree)]
    assert not silent


def test_only_the_clock_reads_the_time() -> None:
    assert not [
        f"{path}:{node.lineno}"
        for path, node in nodes(ast.Call)
        if dotted(node.func).endswith(READS_THE_TIME) and path != "clubapp/clock.py"
    ]


def test_only_settings_reads_the_environment() -> None:
    found = {
        path
        for path, node in nodes(ast.Name, ast.Attribute)
        if dotted(node) in ("os.environ", "os.getenv", "environ", "getenv")
    }
    assert found <= TOUCH_THE_ENVIRONMENT


def test_nothing_names_the_folder_it_was_written_in() -> None:
    texts = our_files("py", "md", "toml", "css", "jsx", "txt")
    assert not [path for path in texts if str(ROOT) + "/" in read(path)]
