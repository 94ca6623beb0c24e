import type { ElfNews, ElvesAtWork } from '../../../elf.ts'
import type { Elves } from '../../../elves/elf-executor.ts'
import { PipeError, untilAborted } from '../../../error.ts'
import type { InteractionResponse } from '../../../interaction.ts'
import type { JsonValue } from '../../../json-value.ts'
import type { ToolContext, ToolRun } from '../../../tool.ts'

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
    const called = new Promise<void>((resolve) => {
      this.#wake = resolve
    })
    return untilAborted(called, signal)
  }
}
