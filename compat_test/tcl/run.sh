#!/usr/bin/env bash
# Runs the Tcl test suite of Redis or Valkey against minilockd: see README.md.
#
#   compat_test/tcl/run.sh [unit ...]      e.g. compat_test/tcl/run.sh unit/expire unit/type/hash
#   compat_test/tcl/run.sh newer           the units in which a server differs most from 7.0, see units.sh
#
#   TCL_SERVER=7.0   whose suite: 7.0, 8.0 or valkey-9.1. minilockd stands for that server
#   TCL_HARNESS=DIR  a harness for the suite, by default ../shared/tcl beside the checkout, if it exists
#   PRISTINE=1       the original suite, even if there is a harness
#   TCL_WORK=DIR     where the suite and the results go, by default a fresh directory that is removed
#   TCL_JOBS=2       units to run at a time
#   TCL_PORT=27300   first of the ports: a hundred for each job
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
export TCL_SERVER=${TCL_SERVER:-7.0} TCL_SERVERS=${TCL_SERVERS:-${XDG_CACHE_HOME:-$HOME/.cache}/minilockd-servers}
. "$here/units.sh"

keep=${TCL_WORK:-}
work=${keep:-$(mktemp -d)}
mkdir -p "$work" && work=$(cd "$work" && pwd)
trap '[ -n "$keep" ] || rm -rf "$work"' EXIT
rm -rf "$work/results" && mkdir -p "$work/results"/{minilockd,real}

harness=${TCL_HARNESS:-$root/../shared/tcl}
[ -x "$harness/setup.sh" ] && [ "${PRISTINE:-0}" != 1 ] || harness=
if [ -n "$harness" ]; then
  case $TCL_SERVER in
  7.0) "$harness/setup.sh" "$work/harness" ;;
  8.0) "$harness/setup.sh" "$work/harness" redis-8.0 ;;
  *) "$harness/setup.sh" "$work/harness" "$TCL_SERVER" ;;
  esac
  export TCL_HARNESS_DIR=$work/harness
else
  "$here/suite.sh" "$TCL_SERVER" "$work/suite"
  unset TCL_HARNESS_DIR
fi
(cd "$root" && go build -o "$work/minilockd" ./cmd/minilockd)
export TCL_WORK=$work TCL_PORT=${TCL_PORT:-27300}

if [ "${1:-}" = newer ]; then set -- "${newer_units[@]}"; fi
if [ $# -gt 0 ]; then units=("$@"); else units=("${slow_units[@]}" "${quick_units[@]}"); fi
[ $# -gt 0 ] || [ -z "$harness" ] || units+=("${forced_units[@]}")

run_units() { xargs -P "${TCL_JOBS:-2}" -n 2 --process-slot-var=TCL_JOB "$here/unit.sh"; }

if [ "$TCL_SERVER" = 7.0 ]; then
  TCL_REAL=redis-server
else
  TCL_REAL=$("$here/../servers/get.sh" "$TCL_SERVER" "$TCL_SERVERS")
fi
export TCL_REAL

# What the real server passes: the harness has a list for 7.0, except for the units that it only runs if forced.
for unit in "${units[@]}"; do
  known=
  [ -z "$harness" ] || [ "$TCL_SERVER" != 7.0 ] || known=$(grep -h "^$unit :: " "$harness"/baseline-*.txt || true)
  if [ -n "$known" ]; then
    echo "$known" | LC_ALL=C sort -u >"$work/results/real/${unit//\//_}"
  else
    echo real "$unit"
  fi
  echo minilockd "$unit"
done | run_units

# Units with failures run a second time: on a busy machine a test may fail once.
again=()
for unit in "${units[@]}"; do
  name=${unit//\//_}
  cp "$work/results/minilockd/$name" "$work/results/first"
  lacking=$(comm -23 "$work/results/real/$name" "$work/results/first" | "$here/exceptions.sh" minus)
  [ -z "$lacking" ] || again+=(minilockd "$unit")
done
((${#again[@]} == 0)) || printf '%s %s\n' "${again[@]}" | run_units

"$here/compare.sh" "$work/results" "${units[@]}"
