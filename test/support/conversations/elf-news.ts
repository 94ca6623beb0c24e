import type { ElfNews, ElvesAtWork } from '../../../src/elf.ts'
import { PipeError } from '../../../src/error.ts'
import type { InteractionResponse } from '../../../src/interaction.ts'

/** Elves in the background whose news a test tells. */
export interface ScriptedElves extends ElvesAtWork {
  readonly responses: readonly InteractionResponse[]
  /** Names of the elves that were stopped. */
  readonly stopped: readonly string[]
  tell(...news: readonly ElfNews[]): void
}

/** Creates elves that are busy until their report has been taken. */
export function scriptElves(): ScriptedElves {
  const waiting: ElfNews[] = []
  const responses: InteractionResponse[] = []
  const stopped: string[] = []
  let isBusy = true
  let wake: () => void = () => undefined
  return {
    responses,
    stopped,
    get isBusy() {
      return isBusy
    },
    next: async (signal) => {
      for (;;) {
        const news = waiting.shift()
        if (news !== undefined) {
          if (news.type === 'report') isBusy = false
          return news
        }
        await new Promise<void>((resolve) => {
          wake = resolve
          signal.addEventListener('abort', () => resolve(), { once: true })
        })
        if (signal.aborted) throw new PipeError('aborted', 'interrupted')
      }
    },
    respond: (response) => void responses.push(response),
    stop: (name) => stopped.push(name) > 0,
    tell: (...news) => {
      waiting.push(...news)
      wake()
    },
  }
}
