"""Events: form, editing, copies, invitations, change notices, mailing schedule, calendar feed."""
