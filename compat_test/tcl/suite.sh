#!/usr/bin/env bash
# suite.sh SERVER DIR: downloads the Tcl suite of SERVER (7.0, 8.0 or valkey-9.1) to DIR. That of 7.0 is in the source
# package of the redis-server that Debian ships.
set -euo pipefail
server=$1 dir=$2
[ ! -f "$dir/tests/test_helper.tcl" ] || exit 0
mkdir -p "$dir"

download_source() {
  mkdir -p "$dir/apt"/{sources,lists/partial,cache/archives/partial}
  for list in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
    case $list in
    *.sources) sed 's/^Types:.*/Types: deb-src/' "$list" ;;
    *.list) [ -f "$list" ] && sed -n 's/^deb /deb-src /p' "$list" ;;
    *) continue ;;
    esac >"$dir/apt/sources/${list##*/}"
  done
  local from=(-qq -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$dir/apt/sources"
    -o Dir::State::lists="$dir/apt/lists" -o Dir::Cache="$dir/apt/cache" -o APT::Sandbox::User=root)
  apt-get "${from[@]}" update
  (cd "$dir/apt" && apt-get "${from[@]}" source --download-only redis)
  tar xf "$dir"/apt/redis_*.orig.tar.gz -C "$dir" --strip-components=1 --exclude='*/deps'
}

if [ "$server" = 7.0 ]; then
  download_source
else
  source=$("$(dirname "$0")/../servers/get.sh" "suite-$server" "$TCL_SERVERS")
  cp -r "$source"/{tests,src} "$source"/*.conf "$dir"
fi
mkdir -p "$dir/tests/tmp"
for program in server cli benchmark; do
  for product in redis valkey; do ln -sf "$(command -v redis-$program)" "$dir/src/$product-$program"; done
done
