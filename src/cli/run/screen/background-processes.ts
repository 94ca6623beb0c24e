import { exitText } from '../../../builtin/command/exit-text.ts'
import type { BackgroundCommands } from '../../../frontend/background-commands.ts'
import type { BackgroundProcess } from '../../../machine/running-command.ts'

/** Characters of the last lines that are looked at: a line may be very long. */
const lastLength = 400

/** Shows the commands that the conversation left running, whichever it is by then. */
export function backgroundCommands(processes: () => readonly BackgroundProcess[]): BackgroundCommands {
  const find = (id: string) => processes().find((one) => one.id === id)
  return {
    list: () =>
      processes().map(({ id, command, startedAt, exit, log }) => ({
        id,
        command,
        startedAt,
        ending: exit && exitText(exit),
        lastLine: lastLine(log.tail),
      })),
    output: (id) => find(id)?.log.tail ?? '',
    stop: async (id) => find(id)?.end(),
  }
}

function lastLine(tail: string): string | undefined {
  return tail
    .slice(-lastLength)
    .split(/[\r\n]+/)
    .findLast((line) => line.trim() !== '')
}
