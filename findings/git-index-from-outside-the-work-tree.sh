#!/usr/bin/env bash
# git 2.39.5 (Debian 12): `update-index --cacheinfo`, run outside the work tree with GIT_DIR and GIT_WORK_TREE set, hides a change.
# git keeps times in whole seconds, so an entry as young as its index is "racy": whoever writes the index has to look at the
# file again, and marks the entry if it differs. With paths as arguments git enters the work tree first; with `--cacheinfo`
# it does not, looks for the file below the current folder, finds none and lets the entry pass. The new index is younger, and
# from then on `diff-files`, `status` and `add` take a file for unchanged that kept its size and changed within that second.
# With `-C "$GIT_WORK_TREE"` the change is seen. Fails if git sees it from outside as well.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
version=1:2.39.5-0+deb12u3
apt-get download -qq "git=$version" 2>/dev/null || { echo "cannot download git $version"; exit 1; }
dpkg -x git_*.deb git
git() { GIT_EXEC_PATH="$folder/git/usr/lib/git-core" "$folder/git/usr/bin/git" "$@"; }

mkdir tree
git init -q --bare store
export GIT_DIR="$folder/store" GIT_WORK_TREE="$folder/tree"
empty=$(git hash-object -w --stdin </dev/null)

# Prints what git sees of a change in the same second, after another entry was added with these options.
seen_after_adding() {
  local second=''
  until [ "$second" = "$(date +%s)" ]; do
    git read-tree --empty
    until [ "$(date +%N | cut -c1)" -lt 3 ]; do sleep 0.05; done
    second=$(date +%s)
    printf x >tree/file
    git update-index --add -- "$folder/tree/file"
    printf y >tree/file
  done
  while [ "$second" = "$(date +%s)" ]; do sleep 0.05; done
  git "$@" update-index --add --cacheinfo "100644,$empty,other"
  git diff-files --name-only -- "$folder/tree/file"
}

outside=$(seen_after_adding)
inside=$(seen_after_adding -C "$GIT_WORK_TREE")
echo "$(git --version): from outside the change of file is seen as '$outside', from inside as '$inside'"
[ "$inside" = file ] || { echo 'not seen from inside either'; exit 1; }
[ -z "$outside" ] || { echo 'seen from outside now'; exit 1; }
echo 'as described: from outside, a changed file is taken for unchanged'
