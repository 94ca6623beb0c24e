import type { Abilities } from '../conversation-view.ts'
import { listSlashCommands } from '../text/slash-command.ts'
import { line, lineText, wrap } from './line.ts'
import { cycledModes } from './mode-cycle.ts'

const keys = [
  ['Enter', 'send; during a turn, the model gets it at the next step'],
  ['Ctrl+J, \\ Enter', 'a new line'],
  ['y, n, 1, 2 …', 'answer a question; ↑ ↓ and Enter too; PgUp PgDn scroll it'],
  ['Tab', 'answer a question that opened while you were typing'],
  ['↑ ↓', 'recall earlier messages'],
  ['Esc', 'stop the turn'],
  ['Esc Esc', 'at an empty prompt: go back to an earlier message, as /rewind does'],
  ['Shift+Tab', `the next mode: ${cycledModes.join(', ')}`],
  ['Ctrl+C', 'clear the draft, else stop the turn, else quit if pressed twice'],
  ['Ctrl+Z', 'suspend pipe; fg resumes it'],
] as const

/** Narrower windows show the description below its command or key. */
const leastColumns = 60

/** Lists commands and keys with their descriptions, wrapped at `columns`. */
export function helpText(abilities: Abilities, columns: number): string {
  const drawn = [...listSlashCommands(abilities), ...keys].flatMap(([left, right]) =>
    columns < leastColumns
      ? [line(left), ...wrap(line(`  ${right}`), columns, 2)]
      : wrap(line(`${left.padEnd(17)} ${right}`), columns, 18),
  )
  return drawn.map(lineText).join('\n')
}
