import type { Outputs } from '../terminal/output.ts'
import { printable } from '../terminal/printable.ts'
import type { FindLook } from '../tool.ts'
import type { OpenDrawing } from './answer/drawn-text.ts'
import { jsonReporter, pipeReporter, type Reporter } from './reporter.ts'
import { textReporter, withActivity } from './text.ts'

export interface FormatOptions {
  /** `text`, `json`, `stream-json` or `pipe`. */
  readonly format: string
  /** Reports tool activity on stderr, even if that is not a terminal. */
  readonly verbose: boolean
  /** Writes only errors to stderr. Wins over `verbose`. */
  readonly quiet: boolean
  /** Finds how calls of a tool look. */
  readonly look: FindLook
  /** Whether only a part of the answer is printed. Default: false. */
  readonly isPicked?: boolean
  /** Whether the run prints a patch, and its answer beside it. Default: false. */
  readonly isPatch?: boolean
  /** Draws the text on a terminal. Absent: it is shown as it is. */
  readonly openDrawing?: OpenDrawing | undefined
}

/** Opens the reporter of an output format. Loads `stream-json` only on demand. */
export async function openReporter(
  outputs: Outputs,
  { format, verbose, quiet, look, isPicked = false, isPatch = false, openDrawing }: FormatOptions,
): Promise<Reporter> {
  const isVerbose = verbose && !quiet
  if (format === 'text') {
    const chatty = isVerbose || (!quiet && outputs.stderr.isTerminal)
    const options = { chatty, quiet, look, isPicked }
    if (!isPatch) return textReporter(outputs, { ...options, openDrawing })
    return (await import('./answer/patch-reporter.ts')).patchReporter(outputs, options)
  }
  const silent = await openJsonReporter(outputs, format)
  const notice = (line: string) => outputs.stderr.write(printable(line))
  const reporter = quiet ? silent : { ...silent, notice }
  return isVerbose ? withActivity(reporter, outputs, look) : reporter
}

async function openJsonReporter({ stdout }: Outputs, format: string): Promise<Reporter> {
  if (format === 'json') return jsonReporter(stdout)
  if (format === 'pipe') return pipeReporter(stdout)
  const { streamJsonReporter } = await import('./stream-json.ts')
  return streamJsonReporter(stdout)
}
