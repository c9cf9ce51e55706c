"""Companies: form, editing, list, a member's own."""
