import { fstatSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { PipeError } from '../../error.ts'
import { promises } from '../../files/lazy-fs.ts'
import { fileError } from '../../files/system-error.ts'
import type { Host } from '../host.ts'

/** More than this goes to a file, and the model gets its two ends. */
const inlineLimit = 256 * 1024
const endLength = 8 * 1024
/** After this long without a byte the person is told what is being waited for. */
const hintMs = 3_000

/** What came in on stdin: all of it, or the two ends of what stands in a file. */
export type Input =
  | { readonly type: 'whole'; readonly bytes: Uint8Array }
  | {
      readonly type: 'spilled'
      readonly head: Uint8Array
      readonly tail: Uint8Array
      readonly size: number
      readonly path: string
    }

export interface StdinOptions {
  /** Where more than 256 KiB go. */
  readonly spillPath: string
  readonly hint: (text: string) => void
  readonly clock: Host['clock']
  readonly signal: AbortSignal
}

/** Whether something can come in: a pipe, a socket or a file. A terminal, /dev/null and a closed descriptor are no input. */
export function hasInput(): boolean {
  try {
    const stat = fstatSync(0)
    return stat.isFIFO() || stat.isFile() || stat.isSocket()
  } catch {
    return false
  }
}

/** Reads stdin to its end; `undefined` where it was empty. Memory stays bounded whatever comes. */
export async function readInput(options: StdinOptions): Promise<Input | undefined> {
  const { stdin } = process
  const spool = new Spool(options.spillPath)
  const stopHint = options.clock.after(hintMs, () =>
    options.hint('pipe: waiting for the end of stdin (--stdin none ignores it)\n'),
  )
  const onAbort = () => stdin.destroy()
  options.signal.addEventListener('abort', onAbort, { once: true })
  try {
    for await (const chunk of stdin) {
      stopHint()
      await spool.add(chunk)
    }
    if (options.signal.aborted) throw new PipeError('aborted', 'interrupted')
    return spool.finish()
  } catch (error) {
    if (options.signal.aborted) throw new PipeError('aborted', 'interrupted', { cause: error })
    throw fileError(error, options.spillPath, 'write')
  } finally {
    stopHint()
    options.signal.removeEventListener('abort', onAbort)
    await spool.close()
  }
}

/** Keeps bytes in memory up to the limit, then in a file, and always the last ones. */
class Spool {
  readonly #path: string
  #chunks: Uint8Array[] = []
  #size = 0
  #tail: Uint8Array = new Uint8Array()
  #file: FileHandle | undefined

  constructor(path: string) {
    this.#path = path
  }

  async add(chunk: Uint8Array): Promise<void> {
    this.#size += chunk.length
    this.#tail = Buffer.concat([this.#tail, chunk]).subarray(-endLength)
    if (this.#file === undefined) this.#chunks.push(chunk)
    else await this.#file.write(chunk)
    if (this.#file === undefined && this.#size > inlineLimit) await this.#spill()
  }

  finish(): Input | undefined {
    if (this.#size === 0) return undefined
    const kept = Buffer.concat(this.#chunks)
    if (this.#file === undefined) return { type: 'whole', bytes: kept }
    return { type: 'spilled', head: kept, tail: Buffer.from(this.#tail), size: this.#size, path: this.#path }
  }

  async close(): Promise<void> {
    await this.#file?.close()
  }

  async #spill(): Promise<void> {
    const { mkdir, open } = promises()
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 })
    this.#file = await open(this.#path, 'wx', 0o600)
    const all = Buffer.concat(this.#chunks)
    await this.#file.write(all)
    this.#chunks = [Buffer.from(all.subarray(0, endLength))]
  }
}
