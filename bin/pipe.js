#!/usr/bin/env node
'use strict'
// Syntax and modules that old releases of Node know, so that they can say what is missing.
const fs = require('fs')
const path = require('path')

function say(descriptor, line, exitCode) {
  process.exitCode = exitCode
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

function start() {
  const root = path.dirname(__dirname)
  const program = path.join(root, 'dist', 'cli')
  if (!fs.existsSync(program)) return refuse(`not built yet: run \`npm install\` in ${root}`)
  return require('./chunks.js')(program)('cli.js').main()
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
