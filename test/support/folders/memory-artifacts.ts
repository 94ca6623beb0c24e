import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { type ArtifactStore, linesIn, PipeError, throwIfAborted } from '../../../src/index.ts'

/** Keeps files in a map from absolute paths to bytes, as a stranger would write it. A folder is what the paths of files say. */
export function createMemoryArtifacts(files = new Map<string, Uint8Array>()): ArtifactStore {
  const below = (folder: string) => [...files.keys()].filter((path) => path.startsWith(`${folder}/`))
  const isThere = (path: string) => files.has(path) || below(path).length > 0
  const missing = (path: string) => new PipeError('not_found', `there is no ${path}`, { details: { path } })
  const refused = (path: string, reason: string) =>
    new PipeError('invalid', `${path}: ${reason}`, { details: { path, reason } })
  const read = (path: string, signal: AbortSignal) => {
    throwIfAborted(signal)
    const bytes = files.get(path)
    if (bytes !== undefined) return bytes
    throw isThere(path) ? refused(path, 'EISDIR') : missing(path)
  }
  return {
    readFile: async (path, { signal, maxBytes }) => read(path, signal).slice(0, maxBytes),
    readFileRange: async (path, range, { signal }) => linesIn(read(path, signal), range),
    realPath: async (path, { signal }) => {
      throwIfAborted(signal)
      return posix.normalize(path)
    },
    getRevision: async (path, { signal }) => {
      throwIfAborted(signal)
      const bytes = files.get(path)
      return bytes && createHash('sha256').update(bytes).digest('hex')
    },
    listDir: async (path, { signal }) => {
      throwIfAborted(signal)
      if (below(path).length === 0) throw missing(path)
      const names = below(path).map((one) => one.slice(path.length + 1).replace(/\/.*/s, '/'))
      return [...new Set(names)].sort()
    },
    writeFile: async (path, content, { signal }) => {
      throwIfAborted(signal)
      files.set(path, content.slice())
    },
    move: async (from, to, { signal }) => {
      throwIfAborted(signal)
      if (!isThere(from)) throw missing(from)
      if (isThere(to)) throw refused(to, 'exists')
      for (const path of [from, ...below(from)]) {
        const bytes = files.get(path)
        if (bytes !== undefined) files.set(to + path.slice(from.length), bytes)
        files.delete(path)
      }
    },
  }
}
