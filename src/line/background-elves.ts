import type { ElfNews, ElvesAtWork } from '../elf.ts'
import { isPipeError, unreachable } from '../error.ts'
import type { AgentEvent } from '../event.ts'
import type { Interaction, InteractionResponse } from '../interaction.ts'

/** Receives the news of elves in the background. */
export interface NewsHandlers {
  readonly onEvent: (event: AgentEvent) => void
  readonly onQuestion: (question: Interaction) => Promise<InteractionResponse>
  /** Takes a result for the model. Returns whether to go on. */
  readonly onReport: (text: string) => boolean
}

/** Takes the news of elves in the background until the signal fires, `onReport` returns false, or none of them is busy. */
export async function attendElves(
  elves: ElvesAtWork,
  handlers: NewsHandlers,
  signal: AbortSignal,
): Promise<void> {
  try {
    while (!signal.aborted && (await take(await elves.next(signal), elves, handlers)));
  } catch (error) {
    if (!(signal.aborted && isPipeError(error))) throw error
  }
}

async function take(news: ElfNews, elves: ElvesAtWork, handlers: NewsHandlers): Promise<boolean> {
  switch (news.type) {
    case 'event':
      handlers.onEvent(news.event)
      return true
    case 'question':
      await respond(elves, await handlers.onQuestion(news.interaction))
      return true
    case 'report':
      return handlers.onReport(news.text)
    default:
      return unreachable(news)
  }
}

/** Answers an elf, unless it has been stopped meanwhile. */
async function respond(elves: ElvesAtWork, response: InteractionResponse): Promise<void> {
  try {
    elves.respond(response)
  } catch (error) {
    if (!isPipeError(error) || error.code !== 'not_found') throw error
  }
}
