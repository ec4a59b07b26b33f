#!/usr/bin/env bash
# unit.sh SERVER UNIT: runs one unit on a new server and adds the names of passed tests to its results. SERVER is
# minilockd or real. run.sh sets the environment.
set -euo pipefail
server=$1 unit=$2
name=${unit//\//_}
base=$((TCL_PORT + 100 * TCL_JOB))
port=$((base + 99))
result=$TCL_WORK/results/$server/$name
log=$TCL_WORK/results/$server-$name.log

case $server in
minilockd) start="$TCL_WORK/minilockd --emulate $TCL_SERVER --port $port --bind 127.0.0.1 -::1 --log-level error" ;;
real) start="$TCL_REAL --port $port --save '' --loglevel warning --enable-debug-command yes" ;;
esac

answers() { (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; }

run_by_harness() {
  export LABEL=$server-$name SERVER_CMD=$start BASEPORT=$((base + 40)) UNIT_LIMIT=300 TEST_LIMIT=120
  (cd "$TCL_HARNESS_DIR" && H_FORCE=$(forced) TAGS=$(tags) OPTS=$(options) ./run.sh 127.0.0.1 "$port" "$unit") >"$log" 2>&1 || true
  cat "$TCL_HARNESS_DIR/out/$LABEL/passed.txt"
  cat "$TCL_HARNESS_DIR/out/$LABEL/notpassed.txt" >>"$log"
}

# What the suite leaves out. The tests of the expiry of fields are all run; they include some for replicas. Those of
# stream groups that need DEBUG turn the append only file on.
tags() {
  local portable='-needs:repl -needs:debug -needs:pfdebug -needs:save'
  case $TCL_SERVER:$unit in
  *:unit/type/hash-field-expire) ;;
  8.0:unit/type/stream-cgroups) echo "$portable" ;;
  8.0:*) echo '-needs:repl -needs:save' ;;
  *) echo "$portable" ;;
  esac
}

# Redis 8.0 is compared by encodings and digests, too.
options() { [ "$TCL_SERVER" = 8.0 ] || echo '--ignore-encoding --ignore-digest'; }

forced() {
  . "$(dirname "$0")/units.sh"
  case " ${forced_units[*]} " in *" $unit "*) echo 1 ;; *) echo 0 ;; esac
}

# A name that occurs twice gets a number.
run_original() {
  local dir=$TCL_WORK/run-$TCL_JOB tags
  tags=$(tags)
  rm -rf "$dir" && mkdir -p "$dir"
  (cd "$dir" && eval "exec $start") >"$dir/server.log" 2>&1 &
  local pid=$!
  for _ in $(seq 100); do answers && break || sleep 0.1; done
  (cd "$TCL_WORK/suite" && TERM=dumb timeout -k 5 300 tclsh tests/test_helper.tcl --host 127.0.0.1 --port "$port" \
    --single "$unit" ${tags:+--tags "$tags"} $(options) --durable --baseport "$base" --portcount 20) >"$log" 2>&1 </dev/null || true
  kill -KILL "$pid" && wait "$pid" 2>/dev/null || true
  sed -n 's/^\[ok\]: \(.*\) ([0-9]* ms)$/\1/p' "$log" |
    awk -v unit="$unit" '{ n = ++seen[$0]; print unit " :: " $0 (n > 1 ? " #" n : "") }'
}

if [ -n "${TCL_HARNESS_DIR:-}" ]; then run_by_harness; else run_original; fi | LC_ALL=C sort -u >"$result.now"
n=$(wc -l <"$result.now")
if [ -f "$result" ]; then LC_ALL=C sort -u "$result" "$result.now" -o "$result"; else mv "$result.now" "$result"; fi
printf '%-14s %-26s %4d passed\n' "$server" "$unit" "$n"
