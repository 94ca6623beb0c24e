#!/usr/bin/env bash
# typescript-language-server 5.3.0 beside typescript 7.0.2: the newest of both do not work together.
# TypeScript 7 ships no lib/tsserver.js. The server answers `initialize` with an error that says that no TypeScript is installed,
# although it is. With typescript 6.0.3 in the same place, the same request succeeds.
# Fails if the pinned versions work together, which would mean that the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null

cat >ask.mjs <<'JS'
import { spawn } from 'node:child_process'

const server = spawn('node_modules/.bin/typescript-language-server', ['--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] })
const params = { processId: null, rootUri: `file://${process.cwd()}`, capabilities: {} }
const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
let text = ''
server.stdout.on('data', (bytes) => {
  text += bytes
  for (const part of text.split(/Content-Length: \d+\r\n\r\n/)) {
    let message
    try { message = JSON.parse(part) } catch { continue }
    if (message.id !== 1) continue
    console.log(message.error === undefined ? 'capabilities' : `error: ${message.error.message}`)
    server.kill()
    process.exit()
  }
})
server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
JS

answer_with() {
  npm install --no-audit --no-fund --ignore-scripts "typescript@$1" typescript-language-server@5.3.0 >/dev/null 2>&1
  timeout 60 node ask.mjs
}

with_6=$(answer_with 6.0.3)
with_7=$(answer_with 7.0.2)
echo "typescript 6.0.3: $with_6"
echo "typescript 7.0.2: $with_7"
[ "$with_6" = capabilities ]
case $with_7 in
*'Could not find a valid TypeScript installation'*) echo 'as found' ;;
*) echo 'the behaviour has changed' >&2; exit 1 ;;
esac
