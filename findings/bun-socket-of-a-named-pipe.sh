#!/usr/bin/env bash
# Bun 1.4.5: a `net.Socket` made of the descriptor of a named pipe ends without a byte.
# Node 20 reads what was written. Under Bun the data is lost and no error is raised,
# so a program that collects output through a named pipe sees an empty result and exit code 0.
# Fails if the pinned version reads the data, which would mean that the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund @oven/bun-linux-x64@1.4.5 >/dev/null 2>&1
bun=node_modules/@oven/bun-linux-x64/bin/bun

cat >read.mjs <<'JS'
import { spawn, execFileSync } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { Socket } from 'node:net'

execFileSync('mkfifo', ['-m', '600', 'pipe'])
const reader = openSync('pipe', constants.O_RDONLY | constants.O_NONBLOCK)
const writer = openSync('pipe', constants.O_WRONLY)
const socket = new Socket({ fd: reader, readable: true, writable: false })
let text = ''
let error = 'none'
socket.on('data', (bytes) => { text += bytes })
socket.on('error', (failure) => { error = failure.message })
const child = spawn('echo', ['hello'], { stdio: ['ignore', writer, 'inherit'] })
closeSync(writer)
child.on('exit', () => setTimeout(() => {
  console.log(JSON.stringify({ text, error }))
  process.exit()
}, 1_000))
JS

in_node=$(node read.mjs)
rm -f pipe
in_bun=$("$bun" read.mjs)
echo "node $(node --version): $in_node"
echo "bun $("$bun" --version): $in_bun"
[ "$in_node" = '{"text":"hello\n","error":"none"}' ] || { echo 'Node no longer reads the pipe'; exit 1; }
[ "$in_bun" = '{"text":"","error":"none"}' ] || { echo 'Bun behaves differently now'; exit 1; }
echo 'as described: Bun reads nothing and reports nothing'
