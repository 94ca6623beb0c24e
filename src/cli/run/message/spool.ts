import type { Hash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { decodeDamaged, decodeText } from '../../../builtin/file/encoding.ts'
import { PipeError } from '../../../error.ts'
import { crypto } from '../../../files/lazy-crypto.ts'
import { promises } from '../../../files/lazy-fs.ts'
import { makePrivateFolder } from '../../../files/private-folder.ts'
import { mediaType } from '../../../media/media-type.ts'

/** Larger input goes to a file, and the model gets its head and tail. */
const inlineLimit = 256 * 1024
const endLength = 8 * 1024
/** Maximum input. Rejects more, because an endless stream would fill the disk. */
const mostBytes = 1024 ** 3

/** The input: all of it, the head and tail of a file, or nothing. */
export type Input =
  | { readonly type: 'empty' }
  | { readonly type: 'whole'; readonly bytes: Uint8Array }
  | {
      readonly type: 'spilled'
      readonly head: Uint8Array
      readonly tail: Uint8Array
      readonly size: number
      readonly path: string
      /** Of all its bytes. */
      readonly sha256: string
    }

/**
 * Keeps input in memory up to the limit, then in a file, and always keeps the tail. Also writes data that a model cannot read to the
 * file.
 */
export class Spool {
  readonly #path: string
  #chunks: Uint8Array[] = []
  #size = 0
  #tail: Uint8Array = new Uint8Array()
  #spilled: SpillFile | undefined

  constructor(path: string) {
    this.#path = path
  }

  get size(): number {
    return this.#size
  }

  /** Throws `input` for more than a gigabyte. */
  async add(chunk: Uint8Array): Promise<void> {
    this.#size += chunk.length
    if (this.#size > mostBytes) {
      throw new PipeError(
        'input',
        'stdin sent more than 1 GiB: save it to a file, and say in the prompt where it is',
      )
    }
    this.#tail = Buffer.concat([this.#tail, chunk]).subarray(-endLength)
    if (this.#spilled === undefined) this.#chunks.push(chunk)
    else await this.#spilled.add(chunk)
    if (this.#spilled === undefined && this.#size > inlineLimit) await this.#spill()
  }

  async finish(): Promise<Input> {
    if (this.#size === 0) return { type: 'empty' }
    if (this.#spilled === undefined && !isReadable(Buffer.concat(this.#chunks))) await this.#spill()
    const kept = Buffer.concat(this.#chunks)
    if (this.#spilled === undefined) return { type: 'whole', bytes: kept }
    return {
      type: 'spilled',
      head: kept,
      tail: Buffer.from(this.#tail),
      size: this.#size,
      path: this.#path,
      sha256: this.#spilled.digest(),
    }
  }

  async close(): Promise<void> {
    await this.#spilled?.close()
  }

  /** Deletes the input's file. */
  async discard(): Promise<void> {
    if (this.#spilled !== undefined) await removeSpilled(this.#path)
  }

  async #spill(): Promise<void> {
    makePrivateFolder(dirname(this.#path))
    this.#spilled = new SpillFile(await promises().open(this.#path, 'wx', 0o600))
    const all = Buffer.concat(this.#chunks)
    await this.#spilled.add(all)
    this.#chunks = [Buffer.from(all.subarray(0, endLength))]
  }
}

/** A file that hashes what is written to it. */
class SpillFile {
  readonly #file: FileHandle
  readonly #hash: Hash = crypto().createHash('sha256')

  constructor(file: FileHandle) {
    this.#file = file
  }

  async add(bytes: Uint8Array): Promise<void> {
    this.#hash.update(bytes)
    await this.#file.writeFile(bytes)
  }

  /** Call it once, at the end. */
  digest(): string {
    return this.#hash.digest('hex')
  }

  close(): Promise<void> {
    return this.#file.close()
  }
}

/** Removes an input file, and its folder if that is then empty. */
export async function removeSpilled(path: string): Promise<void> {
  const { readdir, rm, rmdir } = promises()
  await rm(path, { force: true })
  if ((await readdir(dirname(path))).length === 0) await rmdir(dirname(path))
}

/** Whether it is text, or an image or document that models accept. */
function isReadable(bytes: Uint8Array): boolean {
  return (
    mediaType(bytes) !== undefined || decodeText(bytes) !== undefined || decodeDamaged(bytes) !== undefined
  )
}
