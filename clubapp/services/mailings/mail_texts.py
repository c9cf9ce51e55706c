"""Checks the text of a mail that an administrator wrote, plain or formatted (M6)."""

from clubapp.mail.messages import formatted_text
from clubapp.services.base.form_fields import LONGEST_BLOCK, FormCheck, clean_block

MANY_PICTURES = f"{formatted_text.MOST_PICTURES} images au maximum dans un e-mail."


class MailTextCheck(FormCheck):
    """Collects the errors of a form with texts of mails."""

    def mail_text(self, name: str, typed: str, missing: str, longest: int = LONGEST_BLOCK) -> str:
        """A required text of at most `longest` characters, cleaned; `missing` is the error of an empty one."""
        text = self.required(name, clean_mail_text(self.block(name, typed, longest)[:longest]), missing)
        if formatted_text.is_formatted(text) and formatted_text.count_pictures(text) > formatted_text.MOST_PICTURES:
            self.errors.setdefault(name, MANY_PICTURES)
        return text


def clean_mail_text(typed: str) -> str:
    """A text as it is stored."""
    return formatted_text.clean_text(clean_block(typed))
