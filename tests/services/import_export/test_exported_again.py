"""What is exported can be imported again, and then changes nothing."""

from collections.abc import Callable

import pytest
from sqlmodel import Session

from clubapp.database import transaction
from clubapp.services.base.actors import Actor
from clubapp.services.base.table_files import Download
from clubapp.services.import_export import exports
from clubapp.services.import_export.import_matching import COMPANIES, MEMBERS
from tests.factories import add_company, add_member
from tests.services.import_export.import_tables import HELENE, send

EXPORTS: dict[str, tuple[Callable[[Session, Actor], Download], str]] = {
    "members.csv": (exports.export_members_csv, MEMBERS),
    "members.xlsx": (exports.export_members_xlsx, MEMBERS),
    "companies.csv": (exports.export_companies_csv, COMPANIES),
    "companies.xlsx": (exports.export_companies_xlsx, COMPANIES),
}


@pytest.fixture
def hostile_records(club: str) -> None:
    """Records with everything in them that a table could lose or take for something else, and one without anything."""
    trade = {"activity_domain": "Bâtiment & Travaux", "description": "Deux lignes\n« la seconde » ; fin"}
    lists = {"services": ["Taille, pose", "=Chaux"], "website": "https://lys.example/"}
    with transaction() as session:
        lys = add_company(
            session, '+Lys "& Cie"', city="Lille", postal_code="01000", phone="03 20 55 55 01", founded_year=1998,
            employee_count="10-50", certifications=["RGE", "ISO 9001"], **trade, **lists,
        )  # fmt: skip
        add_company(session, "Brique")
        add_member(
            session, "Zoé Marie Lefèbvre", "zoe@lys.example", first_name="Zoé Marie", role="@Gérante ; associée",
            company=lys.name, company_id=lys.id, phone="+32 2 555 01 01", expertise=["Lin", "Chanvre, ortie"],
            is_active=False, is_listed=False, shows_phone=False, shows_photo=False, **trade, **lists,
        )  # fmt: skip
        add_member(session, "-Éric", "eric@ailleurs.example", company="Ailleurs", phone="poste 12")
        add_member(session, "Ada Sans Adresse", None)


@pytest.mark.parametrize("name", EXPORTS)
def test_what_is_exported_can_be_imported_again_and_changes_nothing(hostile_records: None, name: str) -> None:
    export, kind = EXPORTS[name]
    with transaction() as session:
        content = export(session, HELENE).content
    plan = send(content, kind)
    assert [(line.outcome, line.details) for line in plan.lines if line.outcome != "same"] == []
    assert plan.same == {MEMBERS: 3, COMPANIES: 2}[kind]
    assert plan.ignored == ""
