'use strict'
const fs = require('fs')
const path = require('path')
const vm = require('vm')

/** Holds the chunks that every run begins with. Its export `chunks` maps their names to functions that return their exports. */
const startFile = 'start.js'

/**
 * Loads the built program's chunks: functions `(exports, require, module)` in ASCII that require each other by `./name`. Uses V8's
 * code cache to start a third faster: the build's, or else the one that an earlier run kept. The build's is for a Node without flags:
 * V8 takes no cache that was made under other flags. `compiled` gets each file and its script.
 */
module.exports = function createLoader(folder, compiled = () => undefined) {
  const loaded = new Map()
  let started = new Map()
  const builtins = new Map()
  const first = path.join(folder, startFile)
  const start = readIfThere(first, 'latin1')
  const flagged = hasFlags(process.env)
  const kept =
    start === undefined || (!flagged && fs.existsSync(cacheOf(first)))
      ? undefined
      : require('./kept-code.js')(idOf(start), process.env, flagged)
  let optimizer
  const withCaches = (work) => (optimizer === undefined ? work() : optimizer.pause(work))
  const builtin = (id) => {
    const known = builtins.get(id) ?? withCaches(() => require(id))
    builtins.set(id, known)
    return known
  }
  const requireFrom = (id) => (id.startsWith('./') ? load(id.slice(2)) : builtin(id))
  const run = (file, source, module) => {
    const cachedData = kept === undefined ? readIfThere(cacheOf(file)) : kept.read(path.basename(file))
    const script = withCaches(() => new vm.Script(source, { filename: file, cachedData }))
    compiled(file, script)
    // One that V8 rejects would slow each start down.
    const isFresh = cachedData !== undefined && !script.cachedDataRejected
    if (kept !== undefined && !isFresh) kept.note(path.basename(file), source, script)
    script.runInThisContext()(module.exports, requireFrom, module)
    return module.exports
  }
  const load = (name) => {
    const known = loaded.get(name)
    if (known !== undefined) return known.exports
    const module = { exports: started.has(name) ? started.get(name)() : {} }
    loaded.set(name, module)
    if (started.has(name)) return module.exports
    const file = path.join(folder, name)
    return run(file, fs.readFileSync(file, 'latin1'), module)
  }
  if (start !== undefined) started = new Map(Object.entries(run(first, start, { exports: {} }).chunks))
  /** Keeps the code that was compiled for later runs. Call it after a run that used what most runs use. */
  load.keep = () => withCaches(() => kept?.write())
  /** Prepares for a run that goes on for longer than its start. */
  load.settle = () => {
    optimizer ??= require('./optimizer.js')()
  }
  return load
}

module.exports.startFile = startFile
module.exports.cacheOf = cacheOf
module.exports.signed = signed

/** V8 accepts, and crashes on, the cache of a Node whose V8 differs only in its patch level. */
function cacheOf(file) {
  return `${file}.${process.version}-${process.arch}.cache`
}

/** Characters of the comment that names a build. */
const idLength = 16

/** The text of the start file with the id of its build, of `idLength` characters, which the kept code of another build lacks. */
function signed(id, text) {
  return `/*${id.slice(0, idLength)}*/${text}`
}

/** Whether Node has options, which may be V8's. */
function hasFlags({ NODE_OPTIONS = '' }) {
  return NODE_OPTIONS !== '' || process.execArgv.length > 0
}

function idOf(start) {
  return start.slice(2, 2 + idLength)
}

function readIfThere(file, encoding) {
  try {
    return fs.readFileSync(file, encoding)
  } catch {
    return undefined
  }
}
