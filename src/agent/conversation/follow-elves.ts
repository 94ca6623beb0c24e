import type { ElvesAtWork } from '../../elf.ts'
import { isPipeError, unreachable } from '../../error.ts'
import type { AgentEvent } from '../../event.ts'
import type { Interaction } from '../../interaction.ts'
import type { UserMessage } from '../../message.ts'

export interface ElfHandlers {
  /** Ends the following. */
  readonly signal: AbortSignal
  /** Called for each event of an elf in the background, and for its start and end as events of the parent. */
  readonly onEvent: (event: AgentEvent) => Promise<void> | void
  /** Puts a question of an elf to the user, without waiting for the answer. */
  readonly onQuestion: (question: Interaction) => void
  /** Called for the result of an elf. */
  readonly onReport: (report: UserMessage) => void
}

/** Takes the news of elves in the background until the signal fires. Throws what a handler throws. */
export async function followElves(
  elves: ElvesAtWork,
  { signal, onEvent, onQuestion, onReport }: ElfHandlers,
): Promise<void> {
  try {
    for (;;) {
      const news = await elves.next(signal)
      switch (news.type) {
        case 'event':
          await onEvent(news.event)
          break
        case 'question':
          onQuestion(news.interaction)
          break
        case 'report':
          onReport(news.message)
          break
        default:
          unreachable(news)
      }
    }
  } catch (error) {
    if (!signal.aborted || !isPipeError(error)) throw error
  }
}
