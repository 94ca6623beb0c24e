import type { PipeError } from '../../error.ts'
import { judgeFailure } from '../../line/outcome.ts'
import { openReporter } from '../../line/output-formats.ts'
import { RunResult } from '../../line/run-result.ts'
import { runFormats } from '../cli-options.ts'
import type { HostProcess } from '../host.ts'
import { subcommands } from '../subcommands.ts'
import { lookOf } from '../wiring/tools/known-tools.ts'

/**
 * Writes the result of a run that was refused before it began, in the format that its line asks for: a script that reads it, and the next
 * pipe, must not take the silence for an answer. Writes nothing for text, and for commands.
 */
export async function writeRefusal(error: PipeError, host: HostProcess): Promise<void> {
  const { argv, clock, startedMs } = host
  const format = askedFormat(argv)
  if (format === undefined || format === 'text') return
  const reporter = await openReporter(host, { format, verbose: false, quiet: true, look: lookOf })
  const [result, outcome] = [new RunResult(), judgeFailure(error, undefined)]
  const durationMs = Math.round(clock.monotonic() - startedMs)
  reporter.end(result, outcome, result.toJson(outcome, { sessionId: undefined, durationMs }))
}

/** Lines with these words have an output of their own. */
const others = /^--(?:protocol|bg|each|input-?format)\b/i

/** Finds the format in a line that may have any fault. A line with the name of a command counts as one. */
function askedFormat(argv: readonly string[]): (typeof runFormats)[number] | undefined {
  const end = argv.indexOf('--')
  const words = end < 0 ? argv : argv.slice(0, end)
  if (words.some((word) => others.test(word) || subcommands.some((name) => name === word))) return undefined
  if (words.includes('--json')) return 'json'
  const line = words.join('\n')
  return runFormats.find((format) =>
    new RegExp(`^(?:-[a-zA-Z]*o|--output-?[fF]ormat)[=\\n]?${format}$`, 'm').test(line),
  )
}
