import { join } from 'node:path'
import type { Turn } from '../../engine.ts'
import type { AgentEvent } from '../../event.ts'
import type { UserMessage } from '../../message.ts'
import { present } from '../../present.ts'
import { askOnTerminal } from '../controlling-terminal.ts'
import type { Flags } from '../flags.ts'
import type { Host } from '../host.ts'
import { BrokenPipe, tell } from '../output.ts'
import type { Interruption } from '../signals.ts'
import { type Wired, wire } from '../wiring/wiring.ts'
import { judgeFailure, judgeTurn, type Outcome } from './outcome.ts'
import { composePrompt, nothingToDo, warnOfLoss, withNote } from './prompt.ts'
import type { Reporter } from './reporter.ts'
import { RunResult } from './result.ts'
import { SilenceWatch } from './silence.ts'
import { hasInput, readInput, type StdinLimits } from './stdin.ts'

export interface OneShot {
  readonly host: Host
  readonly flags: Flags
  readonly prompt: string | undefined
  readonly reporter: Reporter
  readonly interruption: Interruption
}

/** One prompt, one turn: reads what comes in, runs, reports. Returns how it ended; what kept it from that is reported and thrown. */
export async function runOneShot(run: OneShot): Promise<Outcome> {
  const { host, reporter, interruption } = run
  const started = host.clock.monotonic()
  let reported = false
  const report: Report = (result, outcome, sessionId) => {
    reported = true
    const durationMs = Math.round(host.clock.monotonic() - started)
    reporter.end(result, outcome, result.toJson(outcome, { sessionId, durationMs }))
  }
  try {
    return await carryOut(run, report)
  } catch (error) {
    if (!reported && !(error instanceof BrokenPipe))
      report(new RunResult(), judgeFailure(error, interruption.cause))
    throw error
  }
}

type Report = (result: RunResult, outcome: Outcome, sessionId?: string) => void

async function carryOut(run: OneShot, report: Report): Promise<Outcome> {
  const { host, flags, reporter, interruption } = run
  if (run.prompt === undefined && !readsInput(flags)) throw nothingToDo()
  const limits = readStdinLimits(flags)
  const wired = await wire({ host, flags, signal: interruption.signal })
  const silence = reporter.note && new SilenceWatch(host.clock, (line) => reporter.note?.(line))
  try {
    const message = await readMessage(run, wired, limits)
    for (const warning of wired.warnings) tell(host, warning)
    reporter.begin({ sessionId: wired.sessionId, model: wired.model, cwd: host.cwd })
    const result = new RunResult()
    const turn = await play(wired, message, run, (event) => {
      result.add(event)
      silence?.see(event)
      if (event.type === 'turn_start') warnOfLoss(event.message, host)
      reporter.event(event)
    })
    const outcome = judgeTurn(turn, interruption.cause)
    report(result, outcome, wired.sessionId)
    return outcome
  } finally {
    silence?.close()
    await wired.close()
  }
}

function readsInput(flags: Flags): boolean {
  return flags.text('stdin') !== 'none' && hasInput()
}

function readStdinLimits(flags: Flags): StdinLimits {
  return present({ firstByteMs: flags.duration('stdin-first-byte'), idleMs: flags.duration('stdin-idle') })
}

async function readMessage(
  { host, flags, prompt, interruption: { signal } }: OneShot,
  { files, config, mayRead, takeNote }: Wired,
  limits: StdinLimits,
): Promise<UserMessage> {
  const { clock, newId, stderr } = host
  const hint = (text: string) => {
    if (!flags.has('quiet')) stderr.write(text)
  }
  const spillPath = join(files, `stdin-${newId.message()}`)
  const input = readsInput(flags) ? await readInput({ spillPath, limits, hint, clock, signal }) : undefined
  const stdinUse = stdinUses.find((use) => use === flags.text('stdin'))
  const message = composePrompt({
    prompt,
    input,
    stdinUse,
    files: flags.all('file'),
    config,
    mayRead,
    host,
  })
  return withNote(message, takeNote())
}

const stdinUses = ['data', 'prompt'] as const

/**
 * Pulls the turn to its end and answers its questions. Where an event cannot be shown, because the reader went away or the disk
 * is full, the turn is interrupted and saved before that error is thrown.
 */
async function play(
  { conversation: { engine } }: Wired,
  message: UserMessage,
  { interruption: { signal } }: OneShot,
  see: (event: AgentEvent) => void,
): Promise<Turn> {
  const turn = engine.submit(message, { signal })
  let failure: { readonly error: unknown } | undefined
  for (;;) {
    const step = await turn.next()
    if (step.done === true) {
      if (failure !== undefined) throw failure.error
      return step.value
    }
    if (failure !== undefined) continue
    try {
      see(step.value)
    } catch (error) {
      failure = { error }
      engine.send({ type: 'interrupt' })
      continue
    }
    if (step.value.type === 'interaction_requested') {
      const { answer } = await import('./question.ts')
      const response = await answer(step.value.interaction, askOnTerminal, signal)
      // An abort has settled the question already.
      if (!signal.aborted) engine.send({ type: 'respond', response })
    }
  }
}
