import { fstatSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { PipeError } from '../../error.ts'
import { promises } from '../../files/lazy-fs.ts'
import { makePrivateFolder } from '../../files/private-folder.ts'
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

/** How long stdin may be silent, in milliseconds, before its first byte and after it. Absent: for as long as it likes. */
export interface StdinLimits {
  readonly firstByteMs?: number
  readonly idleMs?: number
}

export interface StdinOptions {
  /** Where more than 256 KiB go. */
  readonly spillPath: string
  readonly limits: StdinLimits
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

/**
 * Reads stdin to its end; `undefined` where it was empty. Memory stays bounded whatever comes. Throws `input` where it is silent for
 * longer than a limit: what came until then may be half of what was meant, so none of it is used.
 */
export async function readInput(options: StdinOptions): Promise<Input | undefined> {
  const { stdin } = process
  const spool = new Spool(options.spillPath)
  const silence = new Silence(options, (error) => stdin.destroy(error))
  const onAbort = () => stdin.destroy()
  options.signal.addEventListener('abort', onAbort, { once: true })
  try {
    silence.begin(0)
    for await (const chunk of stdin) {
      silence.end()
      await spool.add(chunk)
      silence.begin(spool.size)
    }
    if (options.signal.aborted) throw new PipeError('aborted', 'interrupted')
    return spool.finish()
  } catch (error) {
    await spool.discard()
    if (options.signal.aborted) throw new PipeError('aborted', 'interrupted', { cause: error })
    throw fileError(error, options.spillPath, 'write')
  } finally {
    silence.end()
    options.signal.removeEventListener('abort', onAbort)
    await spool.close()
  }
}

/** Watches the time while a read is waited for: tells of a long silence, once, and gives up after a longer one. */
class Silence {
  readonly #options: StdinOptions
  readonly #giveUp: (error: PipeError) => void
  #stops: (() => void)[] = []
  #told = false

  constructor(options: StdinOptions, giveUp: (error: PipeError) => void) {
    this.#options = options
    this.#giveUp = giveUp
  }

  /** After so many bytes the next ones are waited for. */
  begin(size: number): void {
    const { clock, limits } = this.#options
    const limitMs = size === 0 ? limits.firstByteMs : limits.idleMs
    if (!this.#told) this.#stops.push(clock.after(hintMs, () => this.#tell()))
    if (limitMs !== undefined)
      this.#stops.push(clock.after(limitMs, () => this.#giveUp(tooSilent(size, limitMs))))
  }

  end(): void {
    for (const stop of this.#stops) stop()
    this.#stops = []
  }

  #tell(): void {
    this.#told = true
    this.#options.hint('pipe: waiting for the end of stdin (--stdin none ignores it)\n')
  }
}

function tooSilent(size: number, limitMs: number): PipeError {
  const seconds = `${limitMs / 1_000} s`
  return new PipeError(
    'input',
    size === 0
      ? `nothing came in on stdin for ${seconds} (--stdin-first-byte); --stdin none does without it`
      : `stdin stayed silent for ${seconds} after ${size} bytes and did not end (--stdin-idle): nothing of it was used`,
  )
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

  get size(): number {
    return this.#size
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

  /** Leaves nothing of what came on the disk. */
  async discard(): Promise<void> {
    if (this.#file !== undefined) await promises().rm(this.#path, { force: true })
  }

  async #spill(): Promise<void> {
    const { open } = promises()
    makePrivateFolder(dirname(this.#path))
    this.#file = await open(this.#path, 'wx', 0o600)
    const all = Buffer.concat(this.#chunks)
    await this.#file.write(all)
    this.#chunks = [Buffer.from(all.subarray(0, endLength))]
  }
}
