import type { PipeError } from '../../error.ts'
import { judgeFailure } from '../../line/outcome.ts'
import { openReporter } from '../../line/output-formats.ts'
import { RunResult } from '../../line/run-result.ts'
import { runFormats } from '../cli-options.ts'
import { optionNamed, tokensOf } from '../flags.ts'
import type { HostProcess } from '../host.ts'
import type { Token } from '../listed-words.ts'
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

/** Lines with these flags have an output of their own. */
const others: readonly string[] = ['protocol', 'bg', 'each', 'input-format']

/** Finds the format in a line that may have any fault. A command has an output of its own. */
function askedFormat(argv: readonly string[]): (typeof runFormats)[number] | undefined {
  const tokens = tokensAsMeant(argv)
  const given = new Map<string | undefined, string | undefined>()
  for (const token of tokens)
    if (token.kind === 'option') given.set(optionNamed(token.name)?.name, token.value)
  const [first] = tokens.filter(({ kind }) => kind !== 'option')
  const isPrompt = given.has('print') || given.has('prompt-interactive')
  const word = first?.kind === 'positional' && !isPrompt ? first.value : undefined
  if (subcommands.some((name) => name === word) || others.some((name) => given.has(name))) return undefined
  if (given.has('json')) return 'json'
  const format = given.get('output-format')?.replace(/^=/, '')
  return runFormats.find((one) => one === format)
}

/** Splits a line, with a flag where another one lacks its value. */
function tokensAsMeant(args: readonly string[]): readonly Token[] {
  const tokens = tokensOf(args, undefined)
  const lacking = tokens.findIndex(
    (token) => token.kind === 'option' && token.inlineValue === false && /^-./.test(token.value ?? ''),
  )
  const at = tokens[lacking]
  if (at === undefined) return tokens
  return [...tokens.slice(0, lacking + 1), ...tokensAsMeant(args.slice(at.index + 1))]
}
