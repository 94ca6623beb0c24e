#!/usr/bin/env bash
# string-width 8.3.0 and @xterm/headless 6.0.0 disagree about the columns of Devanagari and Thai text.
# The package counts a grapheme cluster once; the terminal adds up its code points. A row that the package calls full
# is then too long for the terminal, which wraps it, and a program that redraws goes up one row too few.
# Seen: "क्षि" is 2 columns for the package and 3 in the terminal, "กำ" is 1 and 2, while Latin text is equal in both.
# Fails if the pinned versions agree, which would mean that one of them has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund string-width@8.3.0 @xterm/headless@6.0.0 >/dev/null 2>&1

cat >columns.mjs <<'JS'
import xterm from '@xterm/headless'
import stringWidth from 'string-width'

async function inTerminal(text) {
  const terminal = new xterm.Terminal({ cols: 80, rows: 2, allowProposedApi: true })
  await new Promise((resolve) => terminal.write(text, resolve))
  return terminal.buffer.active.cursorX
}

let agree = 0
for (const [text, expected] of [['क्षि', [2, 3]], ['กำ', [1, 2]], ['cafe', [4, 4]]]) {
  const seen = [stringWidth(text), await inTerminal(text)]
  console.log(`${text}: string-width ${seen[0]}, terminal ${seen[1]}`)
  if (String(seen) !== String(expected)) agree += 1
}
process.exit(agree)
JS

node columns.mjs || { echo 'the versions behave differently now'; exit 1; }
echo 'as described: the counts differ for Devanagari and Thai'
