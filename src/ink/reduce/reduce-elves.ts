import type { ElfEnd } from '../../elf.ts'
import type { AgentEvent } from '../../event.ts'
import { printable } from '../../terminal/printable.ts'
import { changeElf, detailsOf, type ElfState, endElf, reduceElf } from '../shown-elf.ts'
import type { Entry, Screen } from '../state.ts'

/** Folds an event of an elf. The transcript stays as it is. Pure. */
export function reduceElfEvent(screen: Screen, event: AgentEvent): Screen {
  const elves = changeElf(screen.elves, event.agentId, (elf) => reduceElf(elf, event, screen.now))
  return elves === screen.elves ? screen : { ...screen, elves }
}

/** Ends an elf, and withdraws its question. Of one in the background, the transcript gets the result. */
export function endOfElf(screen: Screen, end: ElfEnd): Screen {
  const before = screen.elves.find(({ start }) => start.elfId === end.elfId)
  if (before === undefined) return screen
  const elf = endElf(before, end, screen.now)
  const ended = {
    ...screen,
    elves: changeElf(screen.elves, end.elfId, () => elf),
    questions: screen.questions.filter(
      ({ asker, interaction }) => asker?.type !== 'elf' || interaction.id !== before.asks?.id,
    ),
  }
  return elf.start.isBackground === true ? { ...ended, finished: [...ended.finished, entryOf(elf)] } : ended
}

function entryOf(elf: ElfState): Entry {
  const { start, state, calls, text, durationMs } = elf
  return {
    type: 'tool',
    name: 'elf',
    look: { display: 'elf' },
    arguments: { prompt: start.prompt },
    isError: state !== 'done',
    text: printable(text),
    details: detailsOf(elf),
    elfCalls: calls,
    durationMs,
  }
}
