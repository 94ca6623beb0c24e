#!/usr/bin/env bash
# @modelcontextprotocol/client 2.4.0: a request that its caller aborts is reported as a timeout.
# The documentation of `RequestOptions.signal` promises an AbortError. What arrives is an SdkError with the code
# REQUEST_TIMEOUT, whose message alone tells of the abort, and which has no cause. So a program that asks by the
# error's name or code whether the user interrupted it takes that for a server that is too slow.
# Fails if the pinned version reports an abort in another way.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund @modelcontextprotocol/client@2.4.0 @modelcontextprotocol/server@2.4.0 >/dev/null 2>&1

cat >server.mjs <<'JS'
import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'

serveStdio(() => {
  const server = new McpServer({ name: 'waiting', version: '1.0.0' }, { capabilities: { tools: {} } })
  server.registerTool('wait', { description: 'Waits' }, () => new Promise(() => {}))
  return server
})
JS

cat >client.mjs <<'JS'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

const client = new Client({ name: 'asking', version: '1.0.0' })
await client.connect(new StdioClientTransport({ command: process.execPath, args: ['server.mjs'] }))
const stop = new AbortController()
setTimeout(() => stop.abort(), 200)
try {
  await client.callTool({ name: 'wait', arguments: {} }, { signal: stop.signal })
} catch (error) {
  console.log(JSON.stringify({ name: error.name, code: error.code, cause: error.cause ?? 'none' }))
}
await client.close()
process.exit()
JS

seen=$(node client.mjs)
echo "client 2.4.0 on node $(node --version), aborted after 200 ms: $seen"
[ "$seen" = '{"name":"SdkError","code":"REQUEST_TIMEOUT","cause":"none"}' ] || { echo 'an abort is reported in another way now'; exit 1; }
echo 'as described: the abort is reported as a timeout'
