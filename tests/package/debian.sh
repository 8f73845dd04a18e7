#!/bin/sh
# Makes the packages (tools/package), has lintian check them, and uses each on a bare Debian 12 that debootstrap makes:
# first the tarball, with nothing installed beside it, also as tools/ci does, then the Debian package. Needs root, and the network.
#
#   tests/package/debian.sh WORK      WORK keeps the bare Debian for the next time
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
mkdir -p "$1"
work=$(cd "$1" && pwd)

"$root/tools/package"
packages=$root/build/release/packages
program=$(echo "$packages"/gdsim_*.deb)
library=$(echo "$packages"/libgdsim-dev_*.deb)
tarball=$(echo "$packages"/gdsim-*.tar.gz)

lintian --fail-on error,warning --tag-display-limit 0 "$program" "$library"

[ -f "$work/bookworm.tar" ] || {
  debootstrap --variant=minbase bookworm "$work/making" >"$work/debootstrap.log" 2>&1 || { tail "$work/debootstrap.log"; exit 1; }
  tar -C "$work/making" -cf "$work/bookworm.part" .
  mv "$work/bookworm.part" "$work/bookworm.tar"
  rm -rf "$work/making"
}
debian=$(mktemp -d "$work/debian.XXXXXX")
trap 'umount "$debian/proc" 2>/dev/null || true; rm -rf --one-file-system "$debian"' EXIT
tar -C "$debian" -xf "$work/bookworm.tar"
# The program asks /proc where it stands; so does the loader.
mount -t proc proc "$debian/proc"
cp /etc/resolv.conf "$debian/etc/resolv.conf"

# The program finds its models and gives what its documentation shows; all scenarios that it brings hold.
main_job() {
  chroot "$debian" "$1/bin/gdsim" --version
  chroot "$debian" "$1/bin/gdsim" run "$1/share/gdsim/scenarios/vector_add4.yaml" | tee "$debian/out"
  grep -q '304     45.2 %' "$debian/out"
  chroot "$debian" sh -c "$1/bin/gdsim check $1/share/gdsim/scenarios/*.yaml" | tail -1
}

tar -C "$debian/opt" -xzf "$tarball"
main_job "/opt/$(basename "$tarball" .tar.gz)"
mv "$debian/opt/$(basename "$tarball" .tar.gz)" "$debian/srv/elsewhere"
main_job /srv/elsewhere

"$here/ci.sh" "$debian" "$tarball"

cp "$program" "$debian/gdsim.deb"
chroot "$debian" sh -c 'apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends /gdsim.deb' \
  >"$work/install.log" 2>&1 || { tail "$work/install.log"; exit 1; }
main_job /usr
# shellcheck disable=SC2016  # the shell within Debian expands it
[ "$(chroot "$debian" bash -c '. /usr/share/bash-completion/completions/gdsim
  COMP_WORDS=(gdsim ru) COMP_CWORD=1; _gdsim; echo "${COMPREPLY[@]}"
  COMP_WORDS=(gdsim run --print timel) COMP_CWORD=3; _gdsim; echo "${COMPREPLY[@]}"
  COMP_WORDS=(gdsim devices a100-80) COMP_CWORD=2; _gdsim; echo "${COMPREPLY[@]}"')" = "run
timeline
a100-80gb" ]
documents=$root/build/release/documents
zsh -n "$documents/zsh/_gdsim"
[ "$(PATH=$root/build/release/tools:$PATH fish -c "source $documents/fish/gdsim.fish; complete -C 'gdsim occupancy --device a100-8'" | cut -f1)" = a100-80gb ]
chroot "$debian" apt-get remove -q -y gdsim >>"$work/install.log" 2>&1
[ ! -e "$debian/usr/share/gdsim" ]

# The development package builds other projects.
mkdir "$debian/development"
dpkg-deb -x "$library" "$debian/development"
"$here/test.sh" "$debian/development/usr" consumer
