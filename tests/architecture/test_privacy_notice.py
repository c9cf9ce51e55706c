"""The privacy notice names everything that is kept, in the browser and in the database, and everyone who takes part;
and nothing that is not there (P6).

What is new is named in `clubapp/services/privacy/browser_memory.py` or `processing_register.py`.
"""

import ast
import re
from collections.abc import Iterator
from datetime import timedelta
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from clubapp import models, routes
from clubapp.services.privacy import browser_memory, legal_pages, processing_register
from clubapp.services.privacy.browser_memory import StoragePlace, find_item, list_kept_items
from clubapp.settings import Settings, settings
from tests.architecture.sources import ROOT, dotted, nodes
from tests.conftest import forget_settings
from tests.services.privacy.test_legal_pages import text_of

SCRIPTS = [path for kind in ("js", "jsx", "html") for path in sorted((ROOT / "clubapp").rglob(f"*.{kind}"))]
STORES = {"localStorage": StoragePlace.LOCAL, "sessionStorage": StoragePlace.TAB}
# Written to: `store.setItem(key`. A key that is an argument is that of the names that end with 'slot' in the same file.
WRITTEN = re.compile(r"(localStorage|sessionStorage)\.setItem\(\s*([^,]+),")
ASSIGNED = r"\b{name}\s*=\s*[\"'`]([^\"'`$]+)"
# What could keep something without these names being seen.
UNSEEN = re.compile(
    r"(local|session)Storage(\[|\.(?!(set|get|remove)Item\()\w+\s*=)|document\.cookie|cookieStore"
    r"|[\"'](local|session)Storage"
)
STATES = {
    "rx.LocalStorage": StoragePlace.LOCAL,
    "rx.SessionStorage": StoragePlace.TAB,
    "rx.Cookie": StoragePlace.COOKIE,
}
# Written for people or machines, never loaded from there.
NAMESPACES = {"schema.org", "www.w3.org", "www.sitemaps.org", "scripts.sil.org", "github.com"}
EXAMPLES = {"www.club.fr", "www.entreprise.fr", "www.exemple.fr", "www.linkedin.com"}
HOST = re.compile(r"https?://([a-z0-9-]+(?:\.[a-z0-9-]+)+)")
OUTSIDE = re.compile(r"url|dsn|dir$|host|aws|token|prox|processors")


def names_of_key(text: str, key: str) -> list[str]:
    """The literals that a key is, or begins with."""
    if literal := re.match(r"[\"'`]([^\"'`$]+)", key):
        return [literal[1]]
    name = re.match(r"\w+", key)
    assert name, key
    return re.findall(ASSIGNED.format(name=name[0]), text) or re.findall(ASSIGNED.format(name=r"\w*[sS]lot"), text)


def kept_by_scripts() -> Iterator[tuple[str, StoragePlace, str]]:
    """Where, in which store, and under which name."""
    for path in SCRIPTS:
        text, where = path.read_text(), str(path.relative_to(ROOT))
        for store, key in WRITTEN.findall(text):
            names = names_of_key(text, key)
            assert names, f"{where}: the name of {key} is not to be seen; give it a constant of this file"
            yield from ((where, STORES[store], name) for name in names)
        for name in re.findall(r"indexedDB\.open\(\s*[\"']([^\"']+)", text):
            yield where, StoragePlace.DATABASE, name
        for key in re.findall(r"caches\.open\(\s*([^)]+)\)", text):
            yield from ((where, StoragePlace.CACHE, name) for name in names_of_key(text, key))
        for file in re.findall(r"serviceWorker\.register\([^,]*?([\w.]+)[\"'`],", text):
            yield where, StoragePlace.WORKER, file


def kept_by_python() -> Iterator[tuple[str, StoragePlace, str]]:
    """Cookies by the function that names them, and what states keep in the browser."""
    for path, call in nodes(ast.Call):
        if isinstance(call.func, ast.Attribute) and call.func.attr == "set_cookie":
            yield path, StoragePlace.COOKIE, name_of_cookie(path, call.args[0])
        elif place := STATES.get(dotted(call.func)):
            (name,) = [given.value for given in call.keywords if given.arg == "name"]
            assert isinstance(name, ast.Constant), path
            yield path, place, str(name.value)


def name_of_cookie(path: str, given: ast.expr) -> str:
    assert isinstance(given, ast.Call), f"{path}: a cookie is named by a function"
    module: Any = import_module(path.removesuffix(".py").replace("/", "."))
    return getattr(module, dotted(given.func))()


def test_everything_kept_in_the_browser_is_named_and_nothing_else(environment: pytest.MonkeyPatch) -> None:
    kept = [*kept_by_scripts(), *kept_by_python()]
    assert [(where, place, name) for where, place, name in kept if find_item(place, name) is None] == []
    found = {find_item(place, name) for _, place, name in kept}
    assert [item for item in list_kept_items() if item not in found and not item.of_framework] == []


def test_nothing_is_kept_in_a_way_that_is_not_seen() -> None:
    found = [(path.name, match[0]) for path in SCRIPTS for match in UNSEEN.finditer(path.read_text())]
    assert found == []


def test_the_scripts_forget_when_the_notice_says() -> None:
    """A duration is the product that its constant is."""
    milliseconds = {
        "clubapp/ui/react/forms/draft_form.jsx KEPT_MS": browser_memory.DRAFTS,
        "clubapp/ui/react/frame/session.jsx DRAFT_MS": browser_memory.DRAFTS,
        "clubapp/web/endpoints/attendance/arrivals_store.js LIST_KEPT_MS": browser_memory.DOOR_LISTS,
        "clubapp/web/endpoints/attendance/arrivals_store.js TOUCH_KEPT_MS": browser_memory.DOOR_TOUCHES,
    }
    for place, duration in milliseconds.items():
        path, name = place.split()
        product = re.search(rf"\b{name} = ([\d* ]+)", (ROOT / path).read_text())
        assert product, place
        count = 1
        for factor in product[1].split("*"):
            count *= int(factor)
        assert timedelta(milliseconds=count) == duration, place


def test_every_table_is_of_a_purpose_or_free_of_people(environment: pytest.MonkeyPatch) -> None:
    personal = {table for purpose in processing_register.list_purposes() for table in purpose.tables}
    free = set(processing_register.IMPERSONAL_TABLES)
    assert personal | free == set(models.Member.metadata.tables)
    assert not personal & free


def test_every_setting_that_may_lead_outside_is_a_service_or_ours(environment: pytest.MonkeyPatch) -> None:
    outside = {name for service in processing_register.list_services() for name in service.settings}
    ours = set(processing_register.OWN_SETTINGS)
    assert {name for name in Settings.model_fields if OUTSIDE.search(name)} == outside | ours
    assert not outside & ours


def test_every_other_site_is_named_and_nothing_is_loaded_from_one() -> None:
    files = [*SCRIPTS, *(ROOT / "clubapp").rglob("*.py"), *(ROOT / "clubapp").rglob("*.txt")]
    files += [path for path in (ROOT / "assets").rglob("*.*") if path.suffix in (".css", ".js", ".svg")]
    found = {host for path in files if not path.is_symlink() for host in HOST.findall(path.read_text(errors="ignore"))}
    others = {host for host in found if not host.endswith(".example")} - NAMESPACES - EXAMPLES
    assert others == set(processing_register.LINKED)


@pytest.mark.parametrize("style", sorted(Path(ROOT / "assets").glob("*.css")), ids=lambda path: path.name)
def test_no_sheet_loads_from_another_site(style: Path) -> None:
    assert not re.search(r"url\(\s*[\"']?(https?:)?//", style.read_text())


def test_every_page_that_is_written_by_hand_links_both_pages() -> None:
    """The screens have the foot of their layout, mails that of every mail."""
    pages = {path.name: path.read_text() for path in SCRIPTS if path.suffix == ".html" and "endpoints" in path.parts}
    bases = {name for name, text in pages.items() if routes.LEGAL in text and routes.PRIVACY in text}
    assert "plain_page.html" in bases
    inherited = re.compile(r'\{% extends "(.+?)" %\}')
    rest = {name for name, text in pages.items() if name not in bases and not bases & set(inherited.findall(text))}
    assert rest == {"page.html", "mailbox.html"}  # the frame of all, and a window of the demo


def test_the_notice_names_all_of_it(environment: pytest.MonkeyPatch) -> None:
    for name, value in (
        ("SMTP_URL", "smtps://a:b@relais.example:465"),
        ("SENTRY_DSN", "https://key@erreurs.example/1"),
        ("MEDIA_URL", "s3://photos"),
        ("BACKUP_DIR", "/srv/sauvegardes"),
        ("DATABASE_URL", "postgresql://club@base.example/club"),
        ("LEGAL_PROCESSORS", "Agence du Nord, France, pour l’entretien du site"),
        ("PUBLISH", "after_consent"),
        ("REDIS_URL", "redis://memoire.example:6379"),
        ("TO_MEET", "1"),
    ):
        environment.setenv(f"CLUB_{name}", value)
    environment.setenv("AWS_ENDPOINT_URL", "https://s3.stockage.example")
    environment.setenv("AWS_REGION", "fr-par")
    forget_settings()
    written = text_of(legal_pages.build_privacy_page())
    for item in list_kept_items():
        assert browser_memory.describe_item(item) in written
    for purpose in processing_register.list_purposes():
        assert purpose.title in written
    for told in (
        "relais.example", "erreurs.example", "s3.stockage.example", "fr-par", "base.example", "Agence du Nord",
        "14\u00a0jours", "votre consentement pour l’e-mail", "pour ceux des fiches d’avant",
        "depuis qu’il demande votre accord", "memoire.example", "qu’il n’a jamais rencontrés",
        "avant une mise à jour ou ailleurs", "se retire à tout moment", "CNIL",
    ):  # fmt: skip
        assert told in written, told
    assert "a:b" not in written
    assert "key@" not in written


def test_machines_of_the_club_itself_are_not_told(environment: pytest.MonkeyPatch) -> None:
    environment.setenv("CLUB_SMTP_URL", "smtp://10.0.0.7:25")
    environment.setenv("CLUB_DATABASE_URL", "postgresql://club@postgres/club")
    environment.setenv("CLUB_REDIS_URL", "redis://redis:6379")
    environment.setenv("CLUB_MEDIA_URL", "s3://club")
    environment.setenv("AWS_ENDPOINT_URL", "http://s3:7070")
    environment.setenv("AWS_REGION", "us-east-1")
    forget_settings()
    written = text_of(legal_pages.build_privacy_page())
    for own in ("10.0.0.7", "(postgres)", "Pages ouvertes", "us-east-1"):
        assert own not in written


def test_a_service_of_others_is_told_by_its_address_or_its_maker(environment: pytest.MonkeyPatch) -> None:
    environment.setenv("CLUB_SMTP_URL", "smtp://51.83.0.7:587")
    environment.setenv("CLUB_MEDIA_URL", "s3://club")
    environment.setenv("AWS_REGION", "eu-west-3")
    forget_settings()
    written = text_of(legal_pages.build_privacy_page())
    assert "(51.83.0.7)" in written
    assert "d’Amazon (S3), région eu-west-3" in written


def test_a_changed_text_gets_a_new_date(environment: pytest.MonkeyPatch) -> None:
    """The digest is that of the text without its date: whoever changes one changes both."""
    environment.setenv("CLUB_PUBLIC_URL", "https://club.example")
    forget_settings()
    assert settings().uses_https
    text = text_of(legal_pages.build_privacy_page()).replace(legal_pages.format_revision(), "")
    digest = sha256(text.encode()).hexdigest()[:16]
    assert digest == legal_pages.DIGEST, f"the text changed: set REVISED to today, and DIGEST to {digest!r}"
