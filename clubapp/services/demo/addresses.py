"""The sign-in addresses of the fictional club, in a module of their own since each start reads them."""

ADMIN_EMAIL = "helene.caudrelier@beffroi.example"
MEMBER_EMAIL = "marie.durand@pixel-du-beffroi.example"
SECOND_ADMIN_EMAIL = "karim.lenoir@cabinet-moulin-maree.example"
