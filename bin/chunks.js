'use strict'
const fs = require('fs')
const path = require('path')
const vm = require('vm')

/** Holds the chunks that every run begins with. Its export `chunks` maps their names to their exports. */
const startFile = 'start.js'

/**
 * Loads the built program's chunks: functions `(exports, require, module)` in ASCII that require each other by `./name`. Uses V8's
 * code cache if the build left one for this Node, to start a third faster. `compiled` gets each file and its script, to make the cache.
 */
module.exports = function createLoader(folder, compiled = () => undefined) {
  const loaded = new Map()
  const builtins = new Map()
  const builtin = (id) => {
    if (!builtins.has(id)) builtins.set(id, require(id))
    return builtins.get(id)
  }
  const requireFrom = (id) => (id.startsWith('./') ? load(id.slice(2)) : builtin(id))
  const run = (file, source, module) => {
    const script = new vm.Script(source, { filename: file, cachedData: readIfThere(cacheOf(file)) })
    compiled(file, script)
    script.runInThisContext()(module.exports, requireFrom, module)
    return module.exports
  }
  const load = (name) => {
    const known = loaded.get(name)
    if (known !== undefined) return known.exports
    const module = { exports: {} }
    loaded.set(name, module)
    const file = path.join(folder, name)
    return run(file, fs.readFileSync(file, 'latin1'), module)
  }
  const first = path.join(folder, startFile)
  const start = readIfThere(first, 'latin1')
  if (start !== undefined) {
    const { chunks } = run(first, start, { exports: {} })
    for (const name of Object.keys(chunks)) loaded.set(name, { exports: chunks[name] })
  }
  return load
}

module.exports.startFile = startFile
module.exports.cacheOf = cacheOf

/** V8 accepts, and crashes on, the cache of a Node whose V8 differs only in its patch level. */
function cacheOf(file) {
  return `${file}.${process.version}-${process.arch}.cache`
}

function readIfThere(file, encoding) {
  try {
    return fs.readFileSync(file, encoding)
  } catch {
    return undefined
  }
}
