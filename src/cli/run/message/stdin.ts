import { fstatSync } from 'node:fs'
import type { Readable } from 'node:stream'
import type { Clock } from '../../../clock.ts'
import { PipeError } from '../../../error.ts'
import { fileError } from '../../../files/system-error.ts'
import { type Input, Spool } from './spool.ts'

/** Milliseconds without a byte, and in all, before a hint says what pipe is waiting for. */
const hintMs = 3_000
const longMs = 10_000

/** Maximum silence of stdin in milliseconds, before and after its first byte. Absent: no limit. */
export interface StdinLimits {
  readonly firstByteMs?: number | undefined
  readonly idleMs?: number | undefined
}

/** Names the source in messages to the user. */
export interface InputSource {
  readonly name: string
  /** Advice to the user during a long silence. */
  readonly hint: string
  /** Advice to the user after too long a silence. */
  readonly remedy: string
}

export interface InputOptions {
  /** File for input above 256 KiB. */
  readonly spillPath: string
  readonly limits: StdinLimits
  readonly source: InputSource
  readonly hint: (text: string) => void
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** Whether stdin is a pipe, a socket or a file. A terminal, /dev/null or a closed descriptor is not input. */
export function hasInput(): boolean {
  try {
    const stat = fstatSync(0)
    return stat.isFIFO() || stat.isFile() || stat.isSocket()
  } catch {
    return false
  }
}

/**
 * Reads a stream to its end in bounded memory, and destroys a stream that does not end. Throws `input` after too long a silence, because
 * partial input could mislead the model.
 */
export async function readInput(source: Readable, options: InputOptions): Promise<Input> {
  const spool = new Spool(options.spillPath)
  const silence = new Silence(options, (error) => source.destroy(error))
  const onAbort = () => source.destroy()
  options.signal.addEventListener('abort', onAbort, { once: true })
  try {
    if (options.signal.aborted) throw new PipeError('aborted', 'interrupted')
    silence.begin(0)
    for await (const chunk of source) {
      silence.end()
      await spool.add(chunk)
      silence.begin(spool.size)
    }
    if (options.signal.aborted) throw new PipeError('aborted', 'interrupted')
    return await spool.finish()
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

/** Waits for the first bytes of a stream and leaves them in it. Returns them as text; empty if the stream ends. Throws like `readInput`. */
export async function peekInput(source: Readable, options: Omit<InputOptions, 'spillPath'>): Promise<string> {
  const silence = new Silence(options, (error) => source.destroy(error))
  const { signal } = options
  let stop: () => void = () => undefined
  try {
    if (source.errored !== null) throw source.errored
    silence.begin(0)
    // Bytes, or the end, may have come while something else waited for the stream: reading tells, where no event does any more.
    let chunk: unknown = source.read()
    if (chunk === null && !source.readableEnded) {
      await new Promise<void>((resolve, reject) => {
        stop = resolve
        source.once('readable', resolve).once('end', resolve).once('error', reject)
        signal.addEventListener('abort', stop, { once: true })
      })
      if (signal.aborted) throw new PipeError('aborted', 'interrupted')
      chunk = source.read()
    }
    if (!(chunk instanceof Uint8Array)) return ''
    source.unshift(chunk)
    return Buffer.from(chunk.subarray(0, 256)).toString('latin1')
  } catch (error) {
    throw fileError(error, 'stdin', 'read')
  } finally {
    silence.end()
    signal.removeEventListener('abort', stop)
  }
}

/** Waits for the first bytes or the end of a stream, and leaves them in it. Returns whether neither came in time. Throws `aborted`. */
export async function staysSilent(
  source: Readable,
  { ms, clock, signal }: Pick<InputOptions, 'clock' | 'signal'> & { readonly ms: number },
): Promise<boolean> {
  let stop: () => void = () => undefined
  let cancel: () => void = () => undefined
  const isSilent = await new Promise<boolean>((resolve) => {
    stop = () => resolve(false)
    source.once('readable', stop).once('end', stop).once('error', stop)
    signal.addEventListener('abort', stop, { once: true })
    cancel = clock.after(ms, () => resolve(true))
  })
  cancel()
  for (const event of ['readable', 'end', 'error']) source.off(event, stop)
  signal.removeEventListener('abort', stop)
  if (signal.aborted) throw new PipeError('aborted', 'interrupted')
  return isSilent
}

/** Times a pending read. Shows one hint after a long silence or a long time, and gives up at the limit of silence. */
class Silence {
  readonly #options: Omit<InputOptions, 'spillPath'>
  readonly #giveUp: (error: PipeError) => void
  readonly #startedAt: number
  #stops: (() => void)[] = []
  #told = false

  constructor(options: Omit<InputOptions, 'spillPath'>, giveUp: (error: PipeError) => void) {
    this.#options = options
    this.#giveUp = giveUp
    this.#startedAt = options.clock.monotonic()
  }

  /** Starts waiting for more input after `size` bytes. */
  begin(size: number): void {
    const { clock, limits, source } = this.#options
    const limitMs = size === 0 ? limits.firstByteMs : limits.idleMs
    const leftMs = Math.max(0, this.#startedAt + longMs - clock.monotonic())
    if (!this.#told) this.#stops.push(clock.after(Math.min(hintMs, leftMs), () => this.#tell()))
    if (limitMs !== undefined)
      this.#stops.push(clock.after(limitMs, () => this.#giveUp(tooSilent(source, size, limitMs))))
  }

  end(): void {
    for (const stop of this.#stops) stop()
    this.#stops = []
  }

  #tell(): void {
    this.#told = true
    const { hint, source } = this.#options
    hint(`pipe: waiting for the end of ${source.name} (${source.hint})\n`)
  }
}

function tooSilent({ name, remedy }: InputSource, size: number, limitMs: number): PipeError {
  const seconds = `${limitMs / 1_000} s`
  return new PipeError(
    'input',
    size === 0
      ? `${name} sent nothing for ${seconds} (--stdin-first-byte); ${remedy}`
      : `${name} stayed silent for ${seconds} after ${size} bytes and did not end (--stdin-idle): its data was discarded`,
  )
}
