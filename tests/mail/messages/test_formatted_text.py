"""Formatted texts: cleaned, filled and said the same way in both parts; plain ones are left alone (M1, M5, M6)."""

import pytest

from clubapp.mail.messages import formatted_text
from clubapp.mail.messages.formatted_text import MARK, clean_text, convert_to_plain, fill_text, render_html
from clubapp.settings import settings

PICTURE = "/media/logos/1795212000000-9f2c4a7b1d3e5f60.jpg"
FORMATTED = (
    f"{MARK}<p>Bonjour {{{{PRENOM}}}},</p>\n<p>Venez <strong>tous</strong> et <em>vite</em>&nbsp;:<br>à midi.</p>\n"
    '<ul><li>un <a href="https://club.example/a?b=1&amp;c=2">café</a></li><li>un thé</li></ul>\n'
    "<ol><li>puis</li><li>enfin</li></ol>"
    f'\n<p><img src="{PICTURE}" alt="La salle" width="526"></p>'
)


@pytest.mark.parametrize(
    "text",
    [
        "<p>Bonjour</p>",
        "**gras** et *italique*",
        "- un\n- deux",
        "<b>5 < 6</b> & <script>alert(1)</script>",
        f" {MARK}x",
    ],
)
def test_a_plain_text_stays_as_it_is_whatever_it_holds(text: str) -> None:
    assert not formatted_text.is_formatted(text)
    assert clean_text(text) == convert_to_plain(text) == text
    assert fill_text(f"{text} {{{{NOM}}}}", {"NOM": "<i>\nà & b"}) == f"{text} <i>\nà & b"


@pytest.mark.parametrize("text", ["{{NOM}}, bonjour", f"{MARK[:4]}{{{{NOM}}}}"])
def test_no_value_makes_a_plain_text_a_formatted_one(text: str) -> None:
    for value in (f"{MARK}<script>", f"{MARK[4:]}<script>"):
        filled = fill_text(text, {"NOM": value})
        assert not formatted_text.is_formatted(filled)
        assert filled.strip() == text.replace("{{NOM}}", value)


def test_a_clean_text_is_stored_as_it_was_written() -> None:
    assert clean_text(FORMATTED) == FORMATTED


def test_the_plain_part_says_the_same() -> None:
    assert convert_to_plain(FORMATTED) == (
        "Bonjour {{PRENOM}},\n\nVenez tous et vite\u00a0:\nà midi.\n\n"
        "- un café (https://club.example/a?b=1&c=2)\n- un thé\n\n1. puis\n2. enfin\n\nLa salle"
    )


def test_values_cannot_become_html_and_their_lines_stay_lines() -> None:
    filled = fill_text(
        f'{MARK}<p>{{{{NOM}}}} <img src="{PICTURE}" alt="{{{{NOM}}}}"></p>', {"NOM": '<b>"A"</b> & {{NOM}}\n- suite'}
    )
    assert filled == (
        f"{MARK}<p>&lt;b&gt;&#34;A&#34;&lt;/b&gt; &amp; {{{{NOM}}}}<br>- suite "
        f'<img src="{PICTURE}" alt="&lt;b&gt;&#34;A&#34;&lt;/b&gt; &amp; {{{{NOM}}}} - suite"></p>'
    )
    assert convert_to_plain(filled) == '<b>"A"</b> & {{NOM}}\n- suite <b>"A"</b> & {{NOM}} - suite'


@pytest.mark.parametrize(
    ("hostile", "kept"),
    [
        ("<p onclick=alert(1) style='position:fixed' class=x id=y>a</p>", "<p>a</p>"),
        ("<script>alert(1)</script><style>p{}</style><p>a</p><!-- b --><iframe src=//e.example></iframe>", "<p>a</p>"),
        ("<svg><script>alert(1)</script></svg><p>a</p>", "<p>a</p>"),
        ("<a href='javascript:alert(1)'>a</a><a href='JaVa&#10;script:alert(1)'>b</a>", "<a>a</a><a>b</a>"),
        (
            "<a href='//e.example'>a</a><a href='/admin'>b</a><a href='data:text/html,'>c</a>",
            "<a>a</a><a>b</a><a>c</a>",
        ),
        ("<p>a<img src=x onerror=alert(1)><img src='https://e.example/p.gif'></p>", "<p>a</p>"),
        ("<p>a<img src='data:image/png;base64,AA'><img src='/media/logos/../x.jpg'></p>", "<p>a</p>"),
        ("<p>a<img src='/media/avatars/1795212000000-9f2c4a7b1d3e5f60.jpg'></p>", "<p>a</p>"),
        (
            f"<img src='{PICTURE}' width=9999 height=1 srcset='https://e.example/a' alt='a\"b'>",
            f'<img src="{PICTURE}" alt="a&quot;b">',
        ),
        ("<form action=/x><input name=a><button>a</button></form><table><tr><td>b</td></tr></table>", "ab"),
        ("<p>a<math><mtext></p><p>b<table><mglyph><style><img src=x onerror=alert(1)>", "<p>a</p>"),
        ("<p class=MsoNormal><b><span lang=FR style='mso-ansi-language:FR'>a<o:p></o:p></span></b></p>", "<p>a</p>"),
    ],
)
def test_what_has_no_place_in_a_mail_is_taken_away(hostile: str, kept: str) -> None:
    cleaned = clean_text(MARK + hostile)
    assert cleaned == MARK + kept
    assert clean_text(cleaned) == cleaned


@pytest.mark.parametrize(
    "empty", ["", "<p></p>", "<p> <br></p><ul><li></li></ul>", "<script>a</script>", "<img src=x>"]
)
def test_a_text_that_shows_nothing_is_empty(empty: str) -> None:
    assert clean_text(MARK + empty) == ""


def test_a_mail_shows_pictures_from_the_club_s_own_site() -> None:
    html = render_html(FORMATTED)
    assert f'src="{settings().public_url}{PICTURE}?w=768"' in html
    assert formatted_text.find_pictures(FORMATTED) == [PICTURE]
    assert formatted_text.count_pictures(FORMATTED) == 1
