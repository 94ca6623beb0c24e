import { type CommandExit, type CommandOutput, unfinished } from '../machine/running-command.ts'

type Output = AsyncGenerator<CommandOutput, CommandExit, undefined>

/** Attempts at most. More paths vanish only on a machine where nothing else works either. */
const mostAttempts = 5

/**
 * Yields the output of a command's last attempt. Holds back a line of bubblewrap's own, which comes in several pieces, until the
 * command has clearly started.
 */
export async function* rerun(
  output: Output,
  { isOutdated, again }: { isOutdated(text: string): boolean; again(): Promise<Output> },
): Output {
  let current = output
  try {
    for (let attempt = 1; ; attempt++) {
      const held: CommandOutput[] = []
      let step = await current.next()
      while (step.done !== true && attempt < mostAttempts && isOwnLine([...held, step.value])) {
        held.push(step.value)
        step = await current.next()
      }
      if (step.done === true && step.value.exitCode === 1 && isOutdated(textOf(held))) {
        current = await again()
        continue
      }
      yield* held
      if (step.done === true) return step.value
      yield step.value
      return yield* current
    }
  } finally {
    // Ends it if nobody reads on; otherwise it has ended.
    await current.return(unfinished)
  }
}

/** Whether these pieces are one line of bubblewrap, or its beginning. */
function isOwnLine(pieces: readonly CommandOutput[]): boolean {
  const text = textOf(pieces)
  const isLine = name.startsWith(text) || (text.startsWith(name) && /^[^\n]{0,8192}\n?$/.test(text))
  return isLine && pieces.every(({ stream }) => stream === 'stderr')
}

const name = 'bwrap: '

function textOf(pieces: readonly CommandOutput[]): string {
  return Buffer.concat(pieces.map(({ chunk }) => chunk)).toString()
}
