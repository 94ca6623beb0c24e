import { type CommandExit, type CommandOutput, unfinished } from '../command.ts'

type Output = AsyncGenerator<CommandOutput, CommandExit, undefined>

/** Attempts at most. More paths vanish only on a machine where nothing else works either. */
const mostAttempts = 5

/** Yields a command's output, of the last attempt only. Holds back a first line on stderr that may say that it did not start. */
export async function* rerun(
  output: Output,
  { isOutdated, again }: { isOutdated(text: string): boolean; again(): Promise<Output> },
): Output {
  let current = output
  try {
    for (let attempt = 1; ; attempt++) {
      const first = await current.next()
      if (first.done === true) return first.value
      const isHeld = attempt < mostAttempts && maySayOutdated(first.value, isOutdated)
      const second = isHeld ? await current.next() : undefined
      if (second?.done === true && second.value.exitCode === 1) {
        current = await again()
        continue
      }
      yield first.value
      if (second?.done === true) return second.value
      if (second !== undefined) yield second.value
      return yield* current
    }
  } finally {
    // Ends it if nobody reads on; otherwise it has ended.
    await current.return(unfinished)
  }
}

function maySayOutdated({ stream, chunk }: CommandOutput, isOutdated: (text: string) => boolean): boolean {
  return stream === 'stderr' && isOutdated(Buffer.from(chunk).toString())
}
