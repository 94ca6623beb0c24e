#!/bin/sh
':' //; # Records which signals are ignored from the start (nohup, `&` in a script), because Node resets them before it runs anything.
':' //; pipe_ignored=; for pipe_signal in HUP INT QUIT; do
':' //;   pipe_caught=; trap pipe_caught=1 $pipe_signal; kill -$pipe_signal $$; trap - $pipe_signal
':' //;   [ "$pipe_caught" ] || pipe_ignored="$pipe_ignored $pipe_signal"; done
':' //; [ -z "$pipe_ignored" ] || export PIPE_IGNORED_SIGNALS="$$$pipe_ignored"
':' //; # Records whether stdout is closed, because Node opens /dev/null in its place.
':' //; { true 3>&1; } 2>/dev/null || export PIPE_CLOSED_STDOUT=$$
':' //; # With fewer open files than this, Node itself prints a stack or crashes.
':' //; pipe_files=$(ulimit -H -n); [ "$pipe_files" = unlimited ] || [ "$pipe_files" -ge 24 ] || {
':' //;   echo "pipe: only $pipe_files files may be open at once here, and pipe needs more; raise the limit: ulimit -n 1024" >&2; exit 52; }
':' //; exec node "$0" "$@"
'use strict'
// Uses only syntax and modules that old releases of Node know, so that they can report their age.
const fs = require('fs')
const path = require('path')

function say(descriptor, line, exitCode) {
  const isClosed = descriptor === 1 && process.env.PIPE_CLOSED_STDOUT === String(process.pid)
  process.exitCode = isClosed ? 1 : exitCode
  try {
    fs.writeSync(descriptor, `${line}\n`)
  } catch (error) {
    process.exitCode = error.code === 'EPIPE' ? 141 : 1
  }
}

function refuse(reason) {
  say(2, `pipe: ${reason}`, 52)
}

function isSupported(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > 20 || (major === 20 && minor >= 19)
}

/** Milliseconds after which a run is not a short one: three times such a run. */
const settledMs = 300

function start() {
  const root = path.dirname(__dirname)
  const program = path.join(root, 'dist', 'cli')
  if (!fs.existsSync(program)) return refuse(`not built yet: run \`npm install\` in ${root}`)
  const load = require('./chunks.js')(program)
  const { main } = load('cli.js')
  setTimeout(load.settle, settledMs).unref()
  return Promise.resolve(main()).then((isUsual) => {
    if (isUsual) load.keep()
    // Without a terminal, exits at once: `main` has closed everything, and freeing the heap would take a twelfth of a bare start.
    if (!hasTerminal()) process.exit()
  })
}

/** Whether stdin may be a terminal. Node must close one before it exits: changing its mode in the background would stop Node. */
function hasTerminal() {
  try {
    const stdin = fs.fstatSync(0)
    return stdin.isCharacterDevice() && stdin.rdev !== fs.statSync('/dev/null').rdev
  } catch {
    return true
  }
}

const only = process.argv.length === 3 ? process.argv[2] : ''
if (!isSupported(process.versions.node)) {
  refuse(`needs Node.js 20.19 or newer, and this is ${process.versions.node}`)
} else if (process.platform === 'win32') {
  refuse('runs on Linux and macOS; on Windows, use it inside WSL')
} else if (only === '--version' || only === '-V') {
  say(1, require('../package.json').version, 0)
} else {
  start()
}
