"""GET /membres/{id}.vcf is a file to keep, or a 404."""

from starlette.routing import Router
from starlette.testclient import TestClient

from clubapp.database import transaction
from clubapp.web.documents import routes
from clubapp.web.endpoints import vcard
from tests.conftest import on_sqlite
from tests.factories import add_member

pytestmark = on_sqlite


def test_a_card_is_downloaded_under_the_members_name(club: str) -> None:
    with transaction() as session:
        someone = add_member(session, name='Zoé "Lefèbvre"').id
    # The page of a member stands at an address that this one begins like.
    client = TestClient(Router([*vcard.routes(), *routes.routes()]))
    answer = client.get(f"/membres/{someone}.vcf")
    assert answer.headers["content-type"] == "text/vcard; charset=utf-8"
    assert answer.headers["content-disposition"] == 'attachment; filename="zoe-lefebvre.vcf"'
    assert "FN:Zoé" in answer.text
    for path in ("/membres/nobody.vcf", "/membres/%00.vcf"):
        assert client.get(path).status_code == 404
