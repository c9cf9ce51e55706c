"""The directory as one writes it in an afternoon: FastAPI and Jinja; no rule, no cache key.

`/membres` reads the members and renders the page anew; `/kept` answers with the page rendered first.
"""

import gzip
import os
from functools import lru_cache
from pathlib import Path
from types import SimpleNamespace

from fastapi import FastAPI
from jinja2 import Environment
from markupsafe import Markup
from sqlmodel import Session, create_engine, select
from starlette.responses import Response

from clubapp.models import Member
from clubapp.services.images import initials, responsive_images

LIST = '<ul class="member-grid">'
_PAGE = """{{ before }}<ul class="member-grid">{% for member in members %}
<li><a class="member-card" href="{{ member.href }}">
{%- if member.picture.src %}
<img alt="{{ member.name }}" class="face" decoding="async" height="{{ member.picture.height }}" loading="lazy"
{%- if member.picture.sizes %} sizes="{{ member.picture.sizes }}"{% endif %} src="{{ member.picture.src }}"
{%- if member.picture.srcset %} srcset="{{ member.picture.srcset }}"{% endif %} width="{{ member.picture.width }}">
{%- else %}<span aria-hidden="true" class="face face-{{ member.ground }}">{{ member.initials }}</span>{% endif -%}
<span class="member-body"><h2 class="member-name">{{ member.name }}</h2>
{%- if member.role %}<span class="member-role">{{ member.role }}</span>{% endif %}
{%- if member.company %}<span class="member-company">{{ member.company }}</span>{% endif -%}
</span>
{%- if member.domain %}<span class="member-domain">{{ member.domain }}</span>{% endif -%}
</a></li>{% endfor %}</ul>{{ after }}"""
_engine = create_engine(os.environ["PLAIN_DATABASE"], connect_args={"check_same_thread": False})
_page = Environment(autoescape=True).from_string(_PAGE)
# What stands around the list, as the site itself sends it.
_before, _, _rest = Path(os.environ["PLAIN_PAGE"]).read_text().partition(LIST)
_AROUND = {"before": Markup(_before), "after": Markup(_rest.partition("</ul>")[2])}


app = FastAPI()


@app.get("/health")
def health() -> Response:
    """Up."""
    return Response()


@app.get("/membres")
def members() -> Response:
    """The page made afresh."""
    with Session(_engine) as session:
        found = session.exec(select(Member).where(Member.is_active).order_by(Member.company, Member.name)).all()
        html = _page.render(members=[_card(member) for member in found], **_AROUND)
    return Response(gzip.compress(html.encode(), 5), headers={"Content-Encoding": "gzip"}, media_type="text/html")


@app.get("/kept")
async def kept() -> Response:
    """The page as it was made first."""
    return Response(_first(), headers={"Content-Encoding": "gzip"}, media_type="text/html")


@lru_cache(maxsize=1)
def _first() -> bytes:
    return bytes(members().body)


def _card(member: Member) -> SimpleNamespace:
    return SimpleNamespace(
        name=member.name,
        role=member.role,
        company=member.company,
        domain=member.activity_domain,
        href=f"/membres/{member.id}",
        picture=responsive_images.list_picture(member.image_url),
        initials=initials.person_initials(member.name),
        ground=initials.pick_ground(member.name),
    )
