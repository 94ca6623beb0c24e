import type { AgentEvent } from '../event.ts'
import { formatDuration, formatElapsed } from '../frontend/words/duration.ts'
import { isJsonObject } from '../json-value.ts'
import type { Output } from '../terminal/output.ts'
import { visible } from '../terminal/visible.ts'
import { describeElf, describeElfEnd, isOfElf, startsElf } from './elf-line.ts'
import { describeFailure, type Lines, showActivity } from './text.ts'
import { describeCall } from './tool-line.ts'

/** Says in words, for a screen reader, what other users see as marks. */
export function announce(event: AgentEvent, lines: Lines): void {
  switch (event.type) {
    case 'turn_start':
      lines.note('Working.\n')
      return
    case 'elf_start':
      lines.note(`Started ${visible(describeElf(event))}\n`)
      return
    case 'elf_end':
      lines.note(`Elf ended: ${describeElfEnd(event).replace(/^[\u2713\u2717] /, '')}\n`)
      return
    case 'tool_start':
      if (startsElf(lines.look(event.name), event.arguments)) return
      lines.note(`Call: ${visible(describeCall(event.name, event.arguments))}\n`)
      return
    case 'tool_end': {
      if (isOfElf(event.details)) return
      const took = formatDuration(event.durationMs)
      const denied = isJsonObject(event.details) && event.details['permission'] === 'denied'
      if (denied) lines.note('Not run.\n')
      else
        lines.note(
          event.isError ? `Failed after ${took}: ${describeFailure(event)}\n` : `Finished after ${took}\n`,
        )
      return
    }
    default:
      showActivity(event, lines)
  }
}

/** Says that a turn has ended. */
export function endOf(ms: number, hasFailed: boolean): string {
  return `${hasFailed ? 'Ended after' : 'Done in'} ${formatElapsed(ms)}.\n`
}

/** Marks the text of a question as one. */
export function asQuestion(text: string): string {
  return text.startsWith('\n') ? `\nAsking: ${text.slice(1)}` : text
}

/** An output that passes whole lines on: a screen reader would speak each piece of a streamed line by itself. */
export function byLine(output: Output): Output {
  let held = ''
  return {
    isTerminal: output.isTerminal,
    write: (text) => {
      const end = text.lastIndexOf('\n') + 1
      if (end === 0) {
        held += text
        return
      }
      output.write(held + text.slice(0, end))
      held = text.slice(end)
    },
  }
}
