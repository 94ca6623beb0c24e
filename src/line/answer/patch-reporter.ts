import type { Outputs } from '../../terminal/output.ts'
import { printable } from '../../terminal/printable.ts'
import type { Reporter } from '../reporter.ts'
import { type TextOptions, textReporter } from '../text.ts'

/** Writes the patch of a run that ended well to stdout, and its answer to stderr. */
export function patchReporter({ stdout, stderr }: Outputs, options: TextOptions): Reporter {
  const words = textReporter({ stdout: stderr, stderr }, options)
  return {
    ...words,
    event: (event) => (options.quiet ? undefined : words.event(event)),
    end: (result, outcome, json) => {
      if (!options.quiet) words.end(result, outcome, json)
      if (outcome.exitCode !== 0 || result.patch === undefined) return
      stdout.write(stdout.isTerminal ? printable(result.patch) : result.patch)
    },
  }
}
