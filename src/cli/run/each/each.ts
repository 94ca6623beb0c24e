import { fstatSync } from 'node:fs'
import { startDeadline } from '../../../agent/limits/deadline.ts'
import { PipeError } from '../../../error.ts'
import { signalExitCodes } from '../../../frontend/ending-signal.ts'
import type { ResultJournal } from '../../../json/result-journal.ts'
import { mapOutput } from '../../../line/map/map-output.ts'
import { ProgressLine } from '../../../line/map/progress.ts'
import type { RecordResult } from '../../../line/map/record-result.ts'
import { oneAtATime } from '../../../line/one-at-a-time.ts'
import { mapInOrder } from '../../../records/in-order.ts'
import { type InputRecord, longestKept } from '../../../records/input-record.ts'
import { RecordReader } from '../../../records/record-reader.ts'
import { type Output, printWarning } from '../../../terminal/output.ts'
import { readCheckFlags, readChoices, readToolLimits } from '../../choices.ts'
import { askOnTerminal } from '../../controlling-terminal.ts'
import { usageError } from '../../flags.ts'
import type { Host } from '../../host.ts'
import type { RunContext } from '../../run-context.ts'
import { isTerminal } from '../../standard-output.ts'
import { type WiredMany, wireMany } from '../../wiring/wire-many.ts'
import { openChildren } from '../child-conversation.ts'
import { type AskedAnswer, readAskedAnswer } from '../message/asked-answer.ts'
import { hasInput } from '../message/stdin.ts'
import { type EachFlags, readEachFlags } from './each-flags.ts'
import { FailedFile } from './failed-file.ts'
import { RecordMessages } from './record-messages.ts'
import { stdinPieces } from './record-pieces.ts'
import { RecordRuns } from './record-runs.ts'
import { openRunJournal } from './run-journal.ts'
import { Tally } from './tally.ts'

/** Results that may wait behind a slow one, for each that is under way. */
const aheadOfEach = 8

/** Runs the prompt for each record of stdin. Returns the exit code. Throws `usage`, `input`, and as `wireMany`. */
export async function each(context: RunContext, prompt: string | undefined): Promise<number> {
  const { flags } = context
  const options = readEachFlags(flags)
  if (await isTerminal(0)) throw usageError('--each reads records from stdin, which is a terminal')
  const asked = flags.asksForPart ? readAskedAnswer(context) : undefined
  return run({ ...context, prompt, options, asked })
}

interface EachRun extends RunContext {
  readonly options: EachFlags
  /** Default: the records are the prompts. */
  readonly prompt: string | undefined
  readonly asked: AskedAnswer | undefined
}

async function run(given: EachRun): Promise<number> {
  const { flags, interruption } = given
  const { clock, startedMs, stderr } = given.host
  const isQuiet = flags.has('quiet')
  const progress = stderr.isTerminal && !isQuiet ? new ProgressLine(stderr, clock) : undefined
  const host = onceEach(given.host, () => progress?.clear())
  // Finds faults of the prompt before anything is opened.
  const messages = new RecordMessages(given, host)
  const sinceStartMs = clock.monotonic() - startedMs
  const deadline = startDeadline(clock, flags.duration('max-time'), given.signal, sinceStartMs)
  const ending = new AbortController()
  const signal = AbortSignal.any([deadline.signal, ending.signal])
  try {
    const common = { host, messages, progress, signal, end: () => ending.abort() }
    const { tally, runs } = await runWired(given, common)
    progress?.clear()
    const reason = deadline.error ?? runs.reason
    if (!isQuiet) tally.tell(host, reason)
    return interruption.cause === undefined ? tally.exitCode(reason) : signalExitCodes[interruption.cause]
  } finally {
    progress?.clear()
    deadline.end()
  }
}

/** Opens what all runs share, and runs them. Throws `input` if there must be a record and is none. */
async function runWired(given: EachRun, common: Common) {
  const { flags } = given
  const { host: machine, messages, signal } = common
  const choices = { ...readChoices(flags, false), ...readToolLimits(flags), check: readCheckFlags(flags) }
  const many = await wireMany({ machine, choices, children: openChildren, signal })
  try {
    const journal = await openRunJournal(given, { choices, many, messages })
    try {
      const tally = new Tally(many, inputSize())
      const runs = await runKept(given, { ...common, many, journal, tally })
      if (tally.records === 0 && flags.has('require-stdin'))
        throw new PipeError('input', 'stdin has no record, but --require-stdin needs input')
      return { tally, runs }
    } finally {
      journal?.close()
    }
  } finally {
    await many.close()
  }
}

/** Runs the prompt for all records, and keeps those that failed. */
async function runKept(given: EachRun, parts: Omit<RunParts, 'failed'>): Promise<RecordRuns> {
  const { failed: path, format, journal } = given.options
  const failed = path === undefined ? undefined : new FailedFile(path, format, journal)
  try {
    return await runAll(given, { ...parts, failed })
  } finally {
    failed?.close()
  }
}

/** Gathers what needs nothing opened. */
interface Common {
  readonly host: Host
  readonly messages: RecordMessages
  readonly progress: ProgressLine | undefined
  /** Fires when the runs under way must end. */
  readonly signal: AbortSignal
  readonly end: () => void
}

interface RunParts extends Common {
  readonly many: WiredMany
  readonly tally: Tally
  readonly journal: ResultJournal | undefined
  readonly failed: FailedFile | undefined
}

/** Runs the prompt for all records, and passes the results on in their order. */
async function runAll(given: EachRun, parts: RunParts): Promise<RecordRuns> {
  const { flags, options } = given
  const { host, messages, tally, failed, progress, signal, end } = parts
  const { stdout } = host
  const reading = new AbortController()
  signal.addEventListener('abort', () => reading.abort(), { once: true })
  // The rest of the input is read only where somebody is told about it.
  const isDrained = failed !== undefined || flags.format !== 'text'
  const runs = openRuns(given, parts, () => {
    if (!isDrained) reading.abort()
  })
  const reader = new RecordReader(options.format, {
    ...(failed !== undefined && { mostKept: longestKept }),
    onNames: (names) => messages.requireFields(names),
    signal: reading.signal,
  })
  const records = reader.read(hasInput() ? stdinPieces(reading.signal) : nothing())
  const undelivered = new Set<InputRecord>()
  const work = async (record: InputRecord) => {
    undelivered.add(record)
    const result = await runs.run(record)
    const advance = tally.count(result)
    progress?.show(advance)
    return result
  }
  const leave = (record: InputRecord) => {
    undelivered.delete(record)
    if (failed?.add(record, reader.header) === false)
      host.warn(`record ${record.index} is too long for --failed, so the file lacks it`)
  }
  const { jobs } = options
  const write = mapOutput(stdout, { format: flags.format, endsInNul: options.format === 'nul' })
  try {
    for await (const result of mapInOrder(records, work, { jobs, ahead: aheadOfEach * jobs, end })) {
      tally.pass(result)
      const { record, status } = result
      failed?.begin()
      if (status !== 'done') leave(record)
      if (stdout.isTerminal) progress?.clear()
      write(result)
      undelivered.delete(record)
      if (status === 'failed') tellFailure(result, given.host, progress)
    }
  } finally {
    // There are some only if their results could not be written.
    for (const record of undelivered) leave(record)
  }
  failed?.begin()
  return runs
}

function openRuns(
  { flags, options, asked, interruption, host: { stderr } }: EachRun,
  { host, many, messages, journal, progress, signal }: RunParts,
  onStop: () => void,
): RecordRuns {
  return new RecordRuns({
    host,
    many,
    asked,
    interruption,
    journal,
    signal,
    onStop,
    quiet: flags.has('quiet'),
    activity: flags.has('verbose') && !flags.has('quiet') ? clearing(stderr, progress) : undefined,
    failFast: options.failFast,
    // Records that are worked on at once may ask at once.
    askLine: oneAtATime((question, until) => {
      progress?.clear()
      return askOnTerminal(question, until)
    }),
    compose: (record, wired, until) => messages.compose(record, wired, until),
  })
}

/** Takes the progress line away before each write. */
function clearing({ isTerminal, write }: Output, progress: ProgressLine | undefined): Output {
  return {
    isTerminal,
    write: (text) => {
      progress?.clear()
      write(text)
    },
  }
}

async function* nothing(): AsyncGenerator<Uint8Array, undefined, undefined> {}

/** Prints why a record failed. What ends all of them is told once, at the end. */
function tellFailure(
  { record, outcome: { error } }: RecordResult,
  host: Host,
  progress: ProgressLine | undefined,
): void {
  if (error === undefined || error.code === 'aborted' || error.code === 'budget') return
  progress?.clear()
  printWarning(host, `record ${record.index}: ${error.message}`)
}

/** Most different lines that are remembered. */
const mostLines = 1_000

/** Says the same thing once, however many records it is about. */
function onceEach(host: Host, before: () => void): Host {
  const told = new Set<string>()
  const stderr: Output = {
    isTerminal: false,
    write: (text) => {
      if (told.has(text)) return
      if (told.size < mostLines) told.add(text)
      before()
      host.stderr.write(text)
    },
  }
  return { ...host, stderr, warn: (line) => printWarning({ stderr }, line) }
}

/** The size of stdin in bytes, if it is a file. */
function inputSize(): number | undefined {
  if (!hasInput()) return undefined
  const stat = fstatSync(0)
  return stat.isFile() ? stat.size : undefined
}
