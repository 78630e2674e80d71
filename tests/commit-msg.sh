#!/bin/sh
# commit-msg.sh FILE: refuses a commit message whose subject has more than 60 characters or joins two things with "; ".
# "make hooks" installs it as git's hook commit-msg.
subject=$(grep -v '^#' "$1" | head -n 1)
case $subject in 'fixup! '*|'squash! '*) exit ;; esac
bad=
[ "$(printf '%s' "$subject" | wc -m)" -le 60 ] || bad="$(printf '%s' "$subject" | wc -m) characters, expected at most 60"
case $subject in *'; '*) bad="two things, expected one" ;; esac
[ -z "$bad" ] || { echo "commit-msg: $bad: $subject" >&2; exit 1; }
