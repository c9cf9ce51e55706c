"""Members: form, editing, list, own profile, competition, order in the directory."""
