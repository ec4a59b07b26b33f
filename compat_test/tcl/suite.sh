#!/usr/bin/env bash
# suite.sh DIR: downloads Redis' Tcl suite to DIR, from the source package of the redis-server that Debian ships.
set -euo pipefail
dir=$1
[ ! -f "$dir/tests/test_helper.tcl" ] || exit 0
mkdir -p "$dir/apt"/{sources,lists/partial,cache/archives/partial}
for list in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
  case $list in
  *.sources) sed 's/^Types:.*/Types: deb-src/' "$list" ;;
  *.list) [ -f "$list" ] && sed -n 's/^deb /deb-src /p' "$list" ;;
  *) continue ;;
  esac >"$dir/apt/sources/${list##*/}"
done
from=(-qq -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$dir/apt/sources"
  -o Dir::State::lists="$dir/apt/lists" -o Dir::Cache="$dir/apt/cache" -o APT::Sandbox::User=root)
apt-get "${from[@]}" update
(cd "$dir/apt" && apt-get "${from[@]}" source --download-only redis)
tar xf "$dir"/apt/redis_*.orig.tar.gz -C "$dir" --strip-components=1 --exclude='*/deps'
mkdir -p "$dir/tests/tmp"
for program in redis-server redis-cli redis-benchmark; do ln -sf "$(command -v $program)" "$dir/src/$program"; done
