import { fileError } from '../../files/system-error.ts'
import type { Spill } from '../../files/writing/spill.ts'
import type { CommandOutput, LoggedOutput, OutputLog } from '../../machine/running-command.ts'
import { limits } from '../tool-limits.ts'
import { OutputExcerpt } from './output-excerpt.ts'

/** Characters of the end of the output that are kept for a reader. */
const tailLength = 8_000

/** The output of a command for the model. Long output goes to a spill file; if that fails, the command still runs. */
export class CommandLog implements OutputLog {
  readonly #openSpill: () => Promise<Spill>
  readonly #decoders = {
    stdout: new TextDecoder('utf-8', { ignoreBOM: true }),
    stderr: new TextDecoder('utf-8', { ignoreBOM: true }),
  }
  #unread = new OutputExcerpt()
  #bytes = 0
  #textBytes = 0
  #newlines = 0
  #tail = ''
  /** All output so far, until it is long enough for the spill file. */
  #all: Uint8Array[] = []
  #spill: Spill | undefined
  #spilled = 0
  #failure: string | undefined
  #closed = false

  constructor(openSpill: () => Promise<Spill>) {
    this.#openSpill = openSpill
  }

  get unread(): number {
    return this.#unread.bytes
  }

  get tail(): string {
    return this.#tail
  }

  async push({ stream, chunk }: CommandOutput): Promise<string> {
    const text = this.#decoders[stream].decode(chunk, { stream: true })
    this.#bytes += chunk.length
    this.#textBytes += Buffer.byteLength(text)
    this.#newlines += this.#unread.add(chunk, text)
    this.#tail += text
    if (this.#tail.length > 2 * tailLength) this.#tail = this.#tail.slice(-tailLength)
    if (this.#failure === undefined) await this.#attempt(() => this.#save(chunk))
    return text
  }

  take(): LoggedOutput {
    const excerpt = this.#unread
    this.#unread = new OutputExcerpt()
    return {
      ...excerpt.read(this.#whereabouts()),
      bytes: excerpt.bytes,
      spill: this.#spill?.path,
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    for (const decoder of Object.values(this.#decoders)) this.#unread.add(nothing, decoder.decode())
    await this.#attempt(async () => this.#spill?.close())
  }

  #whereabouts(): string {
    if (this.#failure !== undefined) return `; ${this.#failure}`
    if (this.#spill === undefined) return ''
    const what = this.#spilled < this.#bytes ? `the first ${this.#spilled} are` : 'all of it is'
    return `; ${what} in ${this.#spill.path}`
  }

  async #save(chunk: Uint8Array): Promise<void> {
    this.#all.push(chunk)
    if (this.#textBytes <= limits.bytes && this.#newlines <= limits.lines) return
    this.#spill ??= await this.#openSpill()
    for (const part of this.#all) {
      const kept = part.subarray(0, limits.spillBytes - this.#spilled)
      if (kept.length > 0) await this.#spill.write(kept)
      this.#spilled += kept.length
    }
    this.#all = []
  }

  /** Notes a failure to save instead of throwing it. */
  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#failure = fileError(error, this.#spill?.path ?? 'the whole output', 'save').message
      this.#all = []
    }
  }
}

const nothing = new Uint8Array()
