"""With which addresses one signs in to the demonstration club; read at each start, unlike what makes that club."""

ADMIN_EMAIL = "helene.caudrelier@beffroi.example"
MEMBER_EMAIL = "marie.durand@pixel-du-beffroi.example"
SECOND_ADMIN_EMAIL = "karim.lenoir@cabinet-moulin-maree.example"
