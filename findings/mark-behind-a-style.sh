#!/usr/bin/env bash
# @xterm/headless 6.0.0: a combining mark that follows a change of style gets a column of its own.
# Without the style between them, the mark joins the letter before it, as it does in other terminals with and without one.
# So a line that is highlighted from a mark on is a column longer than its text, and whatever counts columns by graphemes is off by one.
# Fails if the pinned version joins the mark, which would mean that the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund @xterm/headless@6.0.0 >/dev/null 2>&1

cat >columns.cjs <<'JS'
const { Terminal } = require('@xterm/headless')

async function columnsAfter(text) {
  const terminal = new Terminal({ cols: 40, rows: 2, allowProposedApi: true })
  await new Promise((resolve) => terminal.write(text, resolve))
  return terminal.buffer.active.cursorX
}

async function main() {
  const joined = await columnsAfter('ae\u0301b')
  const styled = await columnsAfter('ae\u001b[31m\u0301\u001b[39mb')
  console.log(JSON.stringify({ joined, styled }))
}

main()
JS

seen=$(node columns.cjs)
echo "@xterm/headless 6.0.0: columns after a, e with an acute mark, b: $seen"
[ "$seen" = '{"joined":3,"styled":4}' ] || { echo 'xterm behaves differently now'; exit 1; }
echo 'as described: the mark behind a style takes a column'
