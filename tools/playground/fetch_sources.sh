#!/bin/sh
# Puts the sources of libraries that Debian has only for its own machines into a folder: DIR/libyaml, DIR/muparser, DIR/zlib.
# They are the original archives of the Debian release in use, without Debian's patches; apt verifies signatures and
# digests. What apt lists is not changed.
#
#   tools/playground/fetch_sources.sh DIR
set -eu

packages="libyaml muparser zlib"
mkdir -p "$1"
cd "$1"
missing=
for package in $packages; do [ -f "$package/complete" ] || missing="$missing $package"; done
[ -n "$missing" ] || exit 0

# The same archives as apt's, for sources, with lists of their own, which are removed again. Those of security updates hold
# patches, which are not used.
apt=$PWD/apt
trap 'rm -rf "$apt"' EXIT
trap 'exit 1' HUP INT TERM
mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
apt-get indextargets --format 'deb-src $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 'Origin: Debian' |
  grep -v -e '-security ' | sort -u >"$apt/sources.list"
from="-q -o Dir::Etc::sourcelist=$apt/sources.list -o Dir::Etc::sourceparts=/dev/null -o Dir::State::lists=$apt/lists
      -o Dir::Cache=$apt/cache -o APT::Sandbox::User=root"
# shellcheck disable=SC2086  # options are words
apt-get $from update >&2
for package in $missing; do
  rm -rf "$package"
  mkdir "$package"
  # shellcheck disable=SC2086
  (cd "$package" && apt-get $from source --download-only "$package" >&2)
  tar xf "$package/$package"_*.orig.tar.* -C "$package" --strip-components=1
  touch "$package/complete"
done
