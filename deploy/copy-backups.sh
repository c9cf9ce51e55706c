#!/bin/sh
# Copies the backups of CLUB_BACKUP_DIR to another place, each day, from cron or a systemd timer:
#   copy-backups.sh /var/lib/clubapp/backups user@elsewhere.example:/srv/club-backups
# The other place keeps what was deleted here. When all is there, `.copied` in the folder says so to `doctor`.
set -eu
from=${1:?the folder of the backups} to=${2:?a folder, or user@machine:folder}
rsync --archive --ignore-existing --include='club-*.zip' --include='avant-retour-*.zip' --exclude='*' "$from/" "$to/"
# Who was erased since, for a restoration of any of them; this file grows.
rsync --archive --include='erased-people.txt' --exclude='*' "$from/" "$to/"
touch "$from/.copied"
