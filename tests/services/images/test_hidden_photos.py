"""A photograph that becomes hidden gets another name: its former address leads nowhere, and nothing is lost (W16)."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime

import pytest
from sqlmodel import Session, select

from clubapp.database import reading, transaction
from clubapp.infra import image_store
from clubapp.models import Member
from clubapp.services.base.actors import SYSTEM, Actor
from clubapp.services.images import resize_cache, responsive_images, uploads
from clubapp.services.import_export import import_run
from clubapp.services.import_export.spreadsheet_reader import Sheet
from clubapp.services.members import editing, own_profile
from tests import images
from tests.conftest import forget_settings
from tests.factories import add_company, add_member

EMAIL = "marie@durand.example"
JPEG = images.encoded(images.quarters(), "JPEG")


@pytest.fixture
def photo(club: str) -> str:
    """The path of the photograph of Marie, whom everybody sees; one size of it is made."""
    path = image_store.save("avatars", JPEG)
    resize_cache.make_size(path, 64, "webp")
    with transaction() as session:
        employed = {"company_id": add_company(session).id, "role": "Gérante", "description": "Je forme."}
        add_member(session, email=EMAIL, image_url=image_store.address(path), **employed)
    return path


def marie(session: Session) -> Member:
    return session.exec(select(Member)).one()


def herself(session: Session) -> Actor:
    return Actor(EMAIL, member_id=marie(session).id, session_id="s")


def stored() -> str:
    """Her photograph's path."""
    with reading() as session:
        return image_store.path_in(marie(session).image_url)


def kept() -> list[str]:
    return [one.path for one in image_store.list_images("avatars")]


def chosen(choice: str) -> Callable[[Session], object]:
    return lambda session: own_profile.set_visibility(session, herself(session), choice, False)


def saved(flag: str) -> Callable[[Session], object]:
    def act(session: Session) -> None:
        editing.save(session, SYSTEM, replace(editing.open_form(session, SYSTEM, marie(session).id), **{flag: False}))

    return act


def imported(session: Session) -> None:
    sheet = Sheet(("Email", "Membre actif"), ((2, {"Email": EMAIL, "Membre actif": "non"}),))
    received = import_run.store_table(session, SYSTEM, "members", sheet)
    import_run.run_import(session, SYSTEM, import_run.build_plan(session, SYSTEM, received).id)


WRITERS = {
    "she leaves the directory": chosen("is_listed"),
    "she hides her photograph": chosen("shows_photo"),
    "an administrator makes her inactive": saved("is_active"),
    "an administrator takes her out of the directory": saved("is_listed"),
    "an administrator hides her photograph": saved("shows_photo"),
    "an import makes her inactive": imported,
}


@pytest.mark.parametrize("writer", WRITERS)
def test_whoever_hides_it_the_file_has_another_name(photo: str, writer: str) -> None:
    with transaction() as session:
        WRITERS[writer](session)
        assert image_store.exists(photo), "it is only removed once the change is stored"
    assert kept() == [stored()]
    assert stored() != photo
    assert image_store.read(stored()) == JPEG
    assert resize_cache.read_size(photo, 64, "webp") is None


@pytest.mark.parametrize("writer", WRITERS)
def test_a_change_that_is_taken_back_loses_nothing(photo: str, writer: str, at: Callable[[str], datetime]) -> None:
    with suppress(RuntimeError), transaction() as session:
        WRITERS[writer](session)
        raise RuntimeError("taken back")
    assert stored() == photo
    assert image_store.read(photo) == JPEG
    at("2095-01-01T00:00")
    with reading() as session:
        assert uploads.remove_unused(session) == 1
    assert kept() == [photo]


def test_a_savepoint_that_is_taken_back_loses_nothing(photo: str) -> None:
    with transaction() as session:
        with suppress(RuntimeError), session.begin_nested():
            chosen("shows_photo")(session)
            raise RuntimeError("taken back")
        marie(session).role = "Présidente"
    assert stored() == photo
    assert image_store.exists(photo)


def test_only_what_was_shown_and_is_hidden_is_renamed(photo: str) -> None:
    names = []
    for change in (
        {"role": "Présidente", "shows_phone": False},
        {"shows_photo": False},
        {"is_listed": False},
        {"shows_photo": True, "is_active": False},
        {"is_listed": True, "is_active": True},
        {"is_active": False},
    ):
        with transaction() as session:
            marie(session).sqlmodel_update(change)
        names.append(stored())
        assert kept() == [stored()]
    first, second, third = photo, names[1], names[5]
    assert names == [first, second, second, second, second, third]
    assert len({first, second, third}) == 3


def test_a_photograph_that_is_put_back_in_the_same_change_stays(photo: str) -> None:
    with transaction() as session:
        for address in ("", image_store.address(photo)):
            marie(session).image_url = address
            session.flush()
    assert kept() == [photo]


def test_the_photograph_that_was_shown_goes_when_another_one_is_hidden(photo: str) -> None:
    other = image_store.save("avatars", JPEG)
    with transaction() as session:
        marie(session).sqlmodel_update({"image_url": image_store.address(other), "shows_photo": False})
    assert photo not in kept()
    assert stored() in kept()


@pytest.mark.parametrize(
    "address",
    ["", "/media/avatars/1795212000000-0123456789abcdef.jpg", "/avatars/MD-3.png", "https://elsewhere.example/x.jpg"],
)
def test_what_is_missing_or_not_ours_is_hidden_all_the_same(photo: str, address: str) -> None:
    with transaction() as session:
        marie(session).image_url = address
    with transaction() as session:
        chosen("shows_photo")(session)
    with reading() as session:
        assert (marie(session).image_url, marie(session).shows_photo) == (address, False)
    assert kept() == []


def test_nobody_waits_for_a_store_that_is_away(photo: str, environment: pytest.MonkeyPatch) -> None:
    environment.setenv("CLUB_MEDIA_URL", "s3://club")
    environment.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        environment.setenv(name, "someone")
    forget_settings()
    with transaction() as session:
        chosen("shows_photo")(session)
    with reading() as session:
        assert (marie(session).image_url, marie(session).shows_photo) == (image_store.address(photo), False)


def test_a_form_that_was_opened_before_still_means_it(photo: str) -> None:
    with reading() as session:
        own, theirs = (
            own_profile.read_own_profile(session, herself(session)).form,
            editing.open_form(session, SYSTEM, marie(session).id),
        )
    for shown in (False, True, False):
        with transaction() as session:
            seen = own_profile.set_visibility(session, herself(session), "shows_photo", shown)
    with transaction() as session:
        seen = editing.open_form(session, SYSTEM, marie(session).id).seen
        own_profile.save(session, herself(session), replace(own, seen=seen, role="Directrice"))
    with transaction() as session:
        seen = editing.open_form(session, SYSTEM, marie(session).id).seen
        form = replace(theirs, seen=seen, role="Présidente", shows_photo=False)
        editing.save(session, SYSTEM, form)
        assert marie(session).role == "Présidente"
    assert kept() == [stored()]


def test_a_former_address_is_told_from_any_other() -> None:
    path, other = (f"/media/avatars/1795212000000-{digit * 16}.jpg" for digit in "ab")
    assert not responsive_images.is_former_address(path, path)
    assert not responsive_images.is_former_address(path, other)
    assert not responsive_images.is_former_address("", "")
    assert not responsive_images.is_former_address("/avatars/MD-3.png", path)
