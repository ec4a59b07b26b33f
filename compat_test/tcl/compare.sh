#!/usr/bin/env bash
# compare.sh RESULTS UNIT...: prints a line for each unit and its errors: names that the real server passes, and minilockd
# does not, without an exception; and exceptions that pass. Fails if there are errors.
set -euo pipefail
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)
results=$1 && shift
wrong=0 passed=0 of=0
for unit; do
  theirs=$results/real/${unit//\//_} ours=$results/minilockd/${unit//\//_}
  both=$(comm -12 "$theirs" "$ours" | wc -l) all=$(wc -l <"$theirs")
  printf '%-26s %4d of %4d\n' "$unit" "$both" "$all"
  passed=$((passed + both)) of=$((of + all))
  lacking=$(comm -23 "$theirs" "$ours" | "$here/exceptions.sh" minus)
  stale=$("$here/exceptions.sh" | comm -12 - "$ours")
  [ -z "$lacking" ] || { echo "$lacking" | sed 's/^/  not passed: /'; wrong=1; }
  [ -z "$stale" ] || { echo "$stale" | sed 's/^/  passes, but is an exception: /'; wrong=1; }
  [ "$all" -gt 0 ] || { echo "  the real server passes nothing: the suite did not run"; wrong=1; }
done
printf '%-26s %4d of %4d\n' all "$passed" "$of"
exit $wrong
