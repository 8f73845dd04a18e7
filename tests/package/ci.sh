#!/bin/sh
# Runs what tools/ci has for GitLab and GitHub on a bare Debian, in a repository whose change makes a scenario slower.
# Needs root, and the network: GitLab's job installs git and curl.
#
#   tests/package/ci.sh DEBIAN TARBALL
set -eu

here=$(cd "$(dirname "$0")" && pwd)
ci=$(cd "$here/../../tools/ci" && pwd)
debian=$1
cp "$2" "$debian/gdsim.tar.gz"

# A repository with a base and a change.
repository=$debian/repository
rm -rf "$repository"
mkdir "$repository"
commit() { git -C "$repository" add . && git -C "$repository" -c user.name=a -c user.email=a@b commit -qm "$1"; }
git -C "$repository" init -qb main
cat >"$repository/k.yaml" <<'YAML'
scenario: K
device: a100-80gb
kernels:
  k: {global: 4096, local: 256, program: [{compute: 1 us}], variation: none}
launches: [{kernel: k}]
expect: [{outcome: completed}]
YAML
commit base
git -C "$repository" checkout -qb change
sed -i 's/1 us/2 us/' "$repository/k.yaml"
commit change

# steps_of KEY: the lines of shell under a key of GitLab's job.
steps_of() {
  awk -v wanted="  $1:" '/^  [a-z]/ { inside = $0 == wanted; next } inside && sub(/^    - /, "")' "$ci/gitlab.yml"
}
# job NAME LINES: runs lines of shell in the repository; the change must make them fail with 1 and write the table.
job() {
  printf 'set -eu\ncd /repository\nexport GDSIM_BASE=main GDSIM_FAIL_IF="duration > 5 %%" GDSIM_OCCUPANCY_DROP=5\n%s\n' "$2" >"$debian/job"
  status=0
  chroot "$debian" sh /job >"$debian/log" 2>&1 || status=$?
  if [ "$status" != 1 ] || ! grep -q '^| k.yaml | k | [0-9.]* us | [0-9.]* us (+' "$repository/gdsim.md"; then
    tail -n 40 "$debian/log" >&2
    echo "tests/package/ci.sh: $1 ended with $status" >&2
    exit 1
  fi
  rm "$repository/gdsim.md"
}
job GitLab "export GDSIM_PACKAGE=file:///gdsim.tar.gz GDSIM_SUMMARY=gdsim.md GDSIM_JUNIT=gdsim.xml
$(steps_of before_script)
$(steps_of script)"
grep -q '<testsuite' "$repository/gdsim.xml"
# GitHub's own machines have git and curl; the checkout of the action is a folder beside.
rm -rf "$repository/.gdsim" "$debian/action"
cp -r "$ci" "$debian/action"
job GitHub "export GDSIM_PACKAGE=/gdsim.tar.gz GITHUB_STEP_SUMMARY=gdsim.md GITHUB_ACTION_PATH=/action
$(sed -n "s/^      run: '\(.*\)'\$/\1/p" "$ci/action.yml")"
echo "tests/package/ci.sh: the steps of GitLab and GitHub work on a bare Debian"
