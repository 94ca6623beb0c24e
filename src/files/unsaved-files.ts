import { throwIfAborted } from '../error.ts'
import type { ArtifactStore } from '../machine/artifact.ts'
import type { OpenBuffers } from '../machine/open-buffers.ts'
import { isWithin } from '../machine/path.ts'
import { sha256 } from './lazy-crypto.ts'
import { LineCollector } from './reading/text-lines.ts'

export interface UnsavedFilesOptions {
  readonly buffers: OpenBuffers
  /** Real absolute folders. Files elsewhere are those of the disk. */
  readonly folders: readonly string[]
}

/** Size in bytes of the largest file that the editor is asked about: more is no text that a person edits. */
const largest = 2 * 1024 * 1024

/**
 * Lets the text of an editor count where it differs from the disk, and writes such a file through the editor. The disk decides what is
 * a file and may be read: only then is the editor asked. It writes all other files, since an editor would follow a link that was put
 * there meanwhile. An editor that fails is as none.
 */
export function withUnsaved(disk: ArtifactStore, { buffers, folders }: UnsavedFilesOptions): ArtifactStore {
  const isAsked = (path: string) => folders.some((folder) => isWithin(path, folder))

  /** Returns the bytes that the file would have if the editor saved it; `undefined` if it has them. */
  const unsaved = async (path: string, saved: Uint8Array, signal: AbortSignal) => {
    const before = textOf(saved)
    if (before === undefined || !isAsked(path)) return undefined
    const text = await orNothing(() => buffers.read?.(path, signal), signal)
    return text === undefined || plain(text) === plain(before) ? undefined : inFormOf(before, text)
  }

  /** Reads a file whole, as the editor has it. Returns `undefined` where the disk's is what counts. */
  const read = async (path: string, options: Parameters<ArtifactStore['readFile']>[1]) => {
    if (buffers.read === undefined || !isAsked(path)) return undefined
    const saved = await disk.readFile(path, { ...options, maxBytes: largest + 1 })
    return unsaved(path, saved, options.signal)
  }

  return {
    async readFile(path, options) {
      const found = await read(path, options)
      return found?.subarray(0, options.maxBytes) ?? disk.readFile(path, options)
    },

    async readFileRange(path, range, options) {
      const found = await read(path, options)
      if (found === undefined) return disk.readFileRange(path, range, options)
      const collector = new LineCollector(range)
      collector.push(found)
      return collector.finish()
    },

    async getRevision(path, options) {
      const revision = await disk.getRevision(path, options)
      const found = revision === undefined ? undefined : await read(path, options)
      return found === undefined ? revision : sha256(found)
    },

    async writeFile(path, content, options) {
      const { signal } = options
      const text = textOf(content)
      const isOpen = text !== undefined && buffers.write !== undefined && (await isUnsaved(path, signal))
      if (!isOpen) return disk.writeFile(path, content, options)
      const before = await disk.getRevision(path, options)
      await orNothing(() => buffers.write?.(path, text, signal), signal)
      // An editor may format what it saves. One that did not save would leave the old text to the commands.
      if ((await disk.getRevision(path, options)) === before) await disk.writeFile(path, content, options)
    },

    realPath: (path, options) => disk.realPath(path, options),
    listDir: (path, options) => disk.listDir(path, options),
    move: (from, to, options) => disk.move(from, to, options),
  }

  /** Whether the editor has text of a file that the disk lacks. A path that leads elsewhere now is for the disk to refuse. */
  async function isUnsaved(path: string, signal: AbortSignal): Promise<boolean> {
    if ((await disk.realPath(path, { signal })) !== path) return false
    const revision = await disk.getRevision(path, { signal })
    return revision !== undefined && (await read(path, { signal })) !== undefined
  }
}

/** Returns a text of bounded size; `undefined` for other bytes. */
function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.length > largest) return undefined
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  return text.includes('\u{fffd}') || text.includes('\0') ? undefined : text
}

/** Returns what two texts are compared by: editors hold them without BOM and CR. */
function plain(text: string): string {
  return text.replace(/^\u{feff}/u, '').replaceAll('\r\n', '\n')
}

/** Gives a text the BOM and the line ends of the file. */
function inFormOf(before: string, text: string): Uint8Array {
  const lines = before.includes('\r\n') ? plain(text).replaceAll('\n', '\r\n') : plain(text)
  return Buffer.from(before.startsWith('\u{feff}') ? `\u{feff}${lines}` : lines)
}

/** Asks the editor. Throws `aborted` alone. */
async function orNothing<T>(ask: () => Promise<T> | undefined, signal: AbortSignal): Promise<T | undefined> {
  try {
    return await ask()
  } catch {
    throwIfAborted(signal)
    return undefined
  }
}
