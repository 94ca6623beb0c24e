'use strict'
const fs = require('fs')
const path = require('path')
const vm = require('vm')

/** The chunks that every run begins with, as one file, in ASCII: `{name: function (exports, require, module) { … }}`. */
const startFile = 'start.js'

/**
 * Loads the built program's chunks, which are CommonJS and require each other by `./name`. Beside a file the build may have left
 * V8's code cache of it: a Node that accepts it starts without compiling (measured: a third of a bare start less), any other
 * compiles the source as ever. `compiled` takes each file and its script, for whoever makes that cache.
 */
module.exports = function createLoader(folder, compiled = () => undefined) {
  const loaded = new Map()
  const compile = (file, source) => {
    const script = new vm.Script(source, { filename: file, cachedData: readIfThere(`${file}.cache`) })
    compiled(file, script)
    return script.runInThisContext()
  }
  const first = path.join(folder, startFile)
  const start = readIfThere(first, 'latin1')
  const packed = start === undefined ? {} : compile(first, start)
  return function load(name) {
    const known = loaded.get(name)
    if (known !== undefined) return known.exports
    const module = { exports: {} }
    loaded.set(name, module)
    const file = path.join(folder, name)
    const run = packed[name] || compile(file, wrap(fs.readFileSync(file, 'utf8')))
    run(module.exports, (id) => (id.startsWith('./') ? load(id.slice(2)) : require(id)), module)
    return module.exports
  }
}

/** A chunk as a function. */
function wrap(source) {
  return `(function(exports,require,module){${source}\n})`
}

module.exports.startFile = startFile
module.exports.wrap = wrap

function readIfThere(file, encoding) {
  try {
    return fs.readFileSync(file, encoding)
  } catch {
    return undefined
  }
}
