#!/usr/bin/env bash
# exceptions.sh: prints the names in the list of TCL_SERVER, sorted. "exceptions.sh minus" prints the names of its input
# that are not in it.
set -euo pipefail
names() { sed '/^#/d; /^$/d' "$(dirname "$0")/exceptions-$TCL_SERVER.txt" | LC_ALL=C sort -u; }
if [ "${1:-}" = minus ]; then LC_ALL=C comm -23 - <(names); else names; fi
