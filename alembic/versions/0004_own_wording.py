"""A text of the automatic mails that is the built-in one is kept as none, so that it follows the program's own."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_SETTINGS = sa.table(
    "email_reminder_settings",
    *(
        sa.column(name)
        for name in (
            "reminder_type", "template_subject", "template_content", "unanswered_subject", "unanswered_content",
        )
    ),
)  # fmt: skip

_INVITATION = """Bonjour,

Nous avons le plaisir de vous inviter à notre prochaine rencontre, «\u00a0{{EVENT_TITLE}}\u00a0», \
le {{EVENT_DATE}} à {{EVENT_TIME}} ({{EVENT_LOCATION}}).

Ce sera l'occasion de retrouver les membres du réseau, de présenter votre activité et de faire avancer vos projets.

Pour nous aider à préparer l'accueil, merci de nous dire dès maintenant si vous serez des nôtres. \
Votre réponse ne prend que quelques secondes."""
_FIRST = """Bonjour,

Notre rencontre «\u00a0{{EVENT_TITLE}}\u00a0» approche : nous vous attendons le {{EVENT_DATE}} à {{EVENT_TIME}} \
({{EVENT_LOCATION}}).

Un empêchement, un invité de plus\u00a0? Vous pouvez modifier votre réponse à tout moment avec le lien ci-dessous."""
_SECOND = """Bonjour,

Dernier rappel avant notre rencontre «\u00a0{{EVENT_TITLE}}\u00a0», \
le {{EVENT_DATE}} à {{EVENT_TIME}} ({{EVENT_LOCATION}}).

Si vos plans ont changé, merci de nous le dire dès maintenant avec le lien ci-dessous : \
vous libérez ainsi une place, et un couvert, pour un autre membre.

À très bientôt."""
_FIRST_UNANSWERED = """Bonjour,

Notre rencontre «\u00a0{{EVENT_TITLE}}\u00a0» aura lieu le {{EVENT_DATE}} à {{EVENT_TIME}} ({{EVENT_LOCATION}}), \
et nous n'avons pas encore votre réponse.

Pour nous aider à préparer l'accueil, merci de nous dire si vous viendrez. Un non est aussi utile qu'un oui, \
et vous pourrez changer d'avis."""
_SECOND_UNANSWERED = """Bonjour,

Notre rencontre «\u00a0{{EVENT_TITLE}}\u00a0» a lieu dans quelques jours, \
le {{EVENT_DATE}} à {{EVENT_TIME}} ({{EVENT_LOCATION}}).

Il est encore temps de nous dire si vous serez des nôtres\u00a0: il suffit d'un clic, et d'une confirmation sur la page.

Au plaisir de vous y retrouver."""

# Every wording that a program of an earlier schema wrote into the table.
SHIPPED = {
    ("event_invitation", "template_subject"): ("Invitation : {{EVENT_TITLE}}, {{EVENT_DATE}}",),
    ("event_invitation", "template_content"): (_INVITATION,),
    ("event_reminder_1", "template_subject"): ("Rendez-vous le {{EVENT_DATE}} : {{EVENT_TITLE}}",),
    ("event_reminder_1", "template_content"): (_FIRST, _FIRST.replace("plus\u00a0?", "plus ?")),
    ("event_reminder_1", "unanswered_subject"): ("Serez-vous des nôtres ? {{EVENT_TITLE}}, {{EVENT_DATE}}",),
    ("event_reminder_1", "unanswered_content"): (_FIRST_UNANSWERED,),
    ("event_reminder_2", "template_subject"): ("Plus que quelques jours : {{EVENT_TITLE}}, {{EVENT_DATE}}",),
    ("event_reminder_2", "template_content"): (_SECOND,),
    ("event_reminder_2", "unanswered_subject"): ("Il nous manque votre réponse : {{EVENT_TITLE}}, {{EVENT_DATE}}",),
    ("event_reminder_2", "unanswered_content"): (_SECOND_UNANSWERED,),
}


def upgrade() -> None:
    for (which, name), texts in SHIPPED.items():
        is_shipped = _SETTINGS.c.reminder_type == which, _SETTINGS.c[name].in_(texts)
        op.get_bind().execute(_SETTINGS.update().where(*is_shipped).values({name: ""}))


def downgrade() -> None:
    """Nothing: programs of every earlier schema read a text that is missing as the built-in one, too."""
