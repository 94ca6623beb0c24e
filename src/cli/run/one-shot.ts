import { type Deadline, startDeadline } from '../../agent/deadline.ts'
import { driveTurn } from '../../agent/drive-turn.ts'
import { isPipeError } from '../../error.ts'
import { readChoices } from '../choices.ts'
import { askOnTerminal } from '../controlling-terminal.ts'
import type { Flags } from '../flags.ts'
import type { Host } from '../host.ts'
import { BrokenPipe, tell } from '../output.ts'
import type { Interruption } from '../signals.ts'
import { wire } from '../wiring/wiring.ts'
import { checkAsked, readFirstMessage } from './first-message.ts'
import { denialNotice, fallbackNotice } from './notices.ts'
import { judgeFailure, judgeTurn, type Outcome } from './outcome.ts'
import { warnOfLoss, warnOfSaving } from './prompt.ts'
import type { Reporter } from './reporter.ts'
import { RunResult } from './result.ts'
import { SilenceWatch } from './silence.ts'

export interface OneShot {
  readonly host: Host
  readonly flags: Flags
  readonly prompt: string | undefined
  readonly reporter: Reporter
  readonly interruption: Interruption
}

/**
 * Runs one prompt as one turn. `--max-time` limits all of it, from the start of the process. Returns the outcome. Reports a failure and
 * then throws it.
 */
export async function runOneShot(run: OneShot): Promise<Outcome> {
  const { host, reporter, interruption } = run
  const started = host.clock.monotonic()
  let deadline: Deadline | undefined
  let reported = false
  const report: Report = (result, outcome, sessionId) => {
    reported = true
    const durationMs = Math.round(host.clock.monotonic() - started)
    reporter.end(result, outcome, result.toJson(outcome, { sessionId, durationMs }))
  }
  try {
    deadline = openDeadline(run)
    return await carryOut({ ...run, signal: deadline.signal }, report)
  } catch (thrown) {
    const error = (isPipeError(thrown) ? deadline?.error : undefined) ?? thrown
    if (!reported && !(error instanceof BrokenPipe))
      report(new RunResult(), judgeFailure(error, interruption.cause))
    throw error
  } finally {
    deadline?.end()
  }
}

function openDeadline({ host: { clock, startedMs }, flags, interruption }: OneShot): Deadline {
  return startDeadline(clock, flags.duration('max-time'), interruption.signal, clock.monotonic() - startedMs)
}

/** A run whose signal fires on interruption or when its time is over. */
interface TimedRun extends OneShot {
  readonly signal: AbortSignal
}

type Report = (result: RunResult, outcome: Outcome, sessionId?: string) => void

async function carryOut(run: TimedRun, report: Report): Promise<Outcome> {
  const { host, flags, reporter, interruption, signal } = run
  checkAsked(run)
  const wired = await wire({ host, choices: readChoices(flags, false), signal })
  const silence = reporter.note && new SilenceWatch(host.clock, (line) => reporter.note?.(line))
  try {
    const message = await readFirstMessage(run, wired)
    for (const warning of wired.warnings) tell(host, warning)
    if (!flags.has('quiet')) for (const notice of wired.notices) tell(host, notice)
    reporter.begin({ sessionId: wired.sessionId, model: wired.model, cwd: host.cwd })
    const result = new RunResult()
    const turn = await driveTurn(wired.conversation.engine, message, {
      signal,
      onEvent: (event) => {
        result.add(event)
        silence?.see(event)
        if (event.type === 'turn_start') warnOfLoss(event.message, host)
        if (!flags.has('quiet')) warnOfSaving(event, host)
        reporter.event(event)
        if (event.type === 'fallback') reporter.notice?.(fallbackNotice(event))
      },
      onQuestion: async (question) => {
        const { answer } = await import('./question.ts')
        return answer(question, askOnTerminal, signal)
      },
    })
    const outcome = judgeTurn(turn, interruption.cause)
    report(result, outcome, wired.sessionId)
    const denied = denialNotice(result.denials)
    if (denied !== undefined) reporter.notice?.(denied)
    return outcome
  } finally {
    silence?.close()
    await wired.close()
  }
}
