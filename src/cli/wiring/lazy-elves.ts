import type { ElfNews, ElvesAtWork } from '../../elf.ts'
import type { Elves } from '../../elves/executor.ts'
import { PipeError } from '../../error.ts'
import type { InteractionResponse } from '../../interaction.ts'
import type { JsonValue } from '../../json-value.ts'
import type { ToolContext, ToolRun } from '../../tool.ts'

/** The elves of a conversation, loaded at the first call that needs them. */
export class LazyElves implements ElvesAtWork {
  readonly #load: () => Promise<Elves>
  #loading: Promise<Elves> | undefined
  #loaded: Elves | undefined
  #wake: (() => void) | undefined

  constructor(load: () => Promise<Elves>) {
    this.#load = load
  }

  async *execute(args: JsonValue, context: ToolContext): ToolRun {
    this.#loading ??= this.#load()
    this.#loaded = await this.#loading
    this.#wake?.()
    return yield* this.#loaded.execute(args, context)
  }

  get isBusy(): boolean {
    return this.#loaded?.roster.isBusy ?? false
  }

  async next(signal: AbortSignal): Promise<ElfNews> {
    while (this.#loaded === undefined) await this.#firstCall(signal)
    return this.#loaded.roster.next(signal)
  }

  respond(response: InteractionResponse): void {
    if (this.#loaded === undefined) throw new PipeError('not_found', `no elf asks ${response.interactionId}`)
    this.#loaded.roster.respond(response)
  }

  stop(name: string): boolean {
    return this.#loaded?.roster.stop(name) ?? false
  }

  async close(): Promise<void> {
    await this.#loaded?.roster.close()
  }

  #firstCall(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = () => reject(new PipeError('aborted', 'interrupted', { cause: signal.reason }))
      if (signal.aborted) return stop()
      signal.addEventListener('abort', stop, { once: true })
      this.#wake = () => {
        signal.removeEventListener('abort', stop)
        resolve()
      }
    })
  }
}
