#!/bin/sh
# hooks: the check of commit messages, which make hooks installs.
. "$HEED_TOP/tests/lib.sh"
plan 8

# message STATUS 'name' 'message': git's hook ends with this status
message() { printf "$3" > message; git commit -q --allow-empty -F message > out 2> err; that $? = "$1"; say $? "$2"; }
runs git init -q . && runs git config user.name a && runs git config user.email a@b.c && runs cp "$HEED_TOP/tests/commit-msg.sh" .git/hooks/commit-msg && runs chmod +x .git/hooks/commit-msg
say $? 'the hook is installed'
message 0 'a subject of 60 characters' "cli: $(printf '%055d')\n\nThe body may have; long lines of any length, of course, as this one, which is long.\n"
message 1 'a subject of 61 characters' "cli: $(printf '%056d')\n"
matches '^commit-msg: 61 characters, expected at most 60: cli: 0' err; say $? '... is named'
message 0 'characters, not bytes' "cli: é$(printf '%054d')\n"
message 1 'two things' 'cli: names; pages\n'
matches '^commit-msg: two things, expected one: cli: names; pages$' err; say $? '... are named'
matches 'tests/commit-msg.sh' "$HEED_TOP/tests/tests.mk"; say $? 'make hooks installs this file'
