'use strict'
const fs = require('fs')
const os = require('os')
const path = require('path')
const zlib = require('zlib')

/** Characters of a chunk from which its cache is worth a file: those of smaller ones together no longer save what can be measured. */
const leastCached = 8_000

/** Bytes of the checksum behind each cache. V8 checks only a cache's length, and crashes on other damage. */
const sumBytes = 4

/** Days after which the caches of another build or Node are removed. */
const oldDays = 30

/**
 * V8's code caches that runs left for this Node, its flags and this build. They are in the folder of pipe's state, where no call of a
 * model may write: a cache is code. Whatever is wrong with one, or with its folder, the program runs without it.
 */
module.exports = function openKeptCode(id, env, flagged) {
  const parent = folderOf(env)
  // The tag stands for V8's flags. Node's own options leave it as it is.
  const tag = flagged ? [require('v8').cachedDataVersionTag().toString(16)] : []
  const folder = parent && path.join(parent, [process.version, process.arch, id, ...tag].join('-'))
  const compiled = new Map()
  return {
    /** Returns a chunk's cache; `undefined` if there is no sound one of this user. */
    read: (name) => (folder === undefined ? undefined : readSound(path.join(folder, name))),
    /** Notes a chunk without a cache that V8 takes. */
    note(name, source, script) {
      if (source.length >= leastCached) compiled.set(name, script)
    },
    /** Writes the caches of the noted chunks. */
    write() {
      if (folder === undefined || compiled.size === 0) return
      try {
        const isNew = fs.mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined
        for (const [name, script] of compiled) put(path.join(folder, name), script.createCachedData())
        if (isNew) removeOld(parent)
      } catch {
        // A full or read-only disk costs later runs their faster start, and nothing else.
      }
    },
  }
}

module.exports.leastCached = leastCached

/** As `findDirectories` places the state of pipe. */
function folderOf({ PIPE_HOME: root = '', XDG_STATE_HOME: state = '', HOME = '' }) {
  if (root !== '') return path.isAbsolute(root) ? path.join(root, 'code') : undefined
  if (path.isAbsolute(state)) return path.join(state, 'pipe', 'code')
  const home = HOME === '' ? homeOfUser() : HOME
  return path.isAbsolute(home) ? path.join(home, '.local', 'state', 'pipe', 'code') : undefined
}

function homeOfUser() {
  try {
    return os.homedir()
  } catch {
    return ''
  }
}

function readSound(file) {
  let descriptor
  try {
    descriptor = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW)
    const { uid, mode, size } = fs.fstatSync(descriptor)
    if (uid !== process.getuid() || (mode & 0o022) !== 0 || size <= sumBytes) return undefined
    const bytes = Buffer.allocUnsafeSlow(size)
    if (fs.readSync(descriptor, bytes, 0, size, 0) !== size) return undefined
    const data = bytes.subarray(0, size - sumBytes)
    return zlib.crc32(data) === bytes.readUInt32LE(size - sumBytes) ? data : undefined
  } catch {
    return undefined
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor)
  }
}

function put(file, data) {
  const sum = Buffer.alloc(sumBytes)
  sum.writeUInt32LE(zlib.crc32(data))
  const draft = `${file}.${process.pid}`
  fs.writeFileSync(draft, Buffer.concat([data, sum]), { mode: 0o600 })
  fs.renameSync(draft, file)
}

function removeOld(parent) {
  for (const name of fs.readdirSync(parent)) {
    const folder = path.join(parent, name)
    const days = (Date.now() - fs.statSync(folder).mtimeMs) / 86_400_000
    if (days > oldDays) fs.rmSync(folder, { recursive: true, force: true })
  }
}
