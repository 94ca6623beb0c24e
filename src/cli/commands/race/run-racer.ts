import { isPipeError, type PipeError } from '../../../error.ts'
import { judgeTurn } from '../../../line/outcome.ts'
import { describeCall } from '../../../line/tool-line.ts'
import { driveWired } from '../../run/driven.ts'
import type { RunContext } from '../../run-context.ts'
import type { RaceQuestions } from './race-questions.ts'
import { type Racer, unhurried } from './racers.ts'
import type { RaceFinish, RaceResult } from './verdict.ts'

export interface Racing {
  readonly context: RunContext
  /** Ends the turns and checks: also once the time of the race is up. */
  readonly limit: AbortSignal
  readonly questions: RaceQuestions
  /** Checks the work of a model. Returns why it failed. Absent: there is no check. */
  readonly check?: (racer: Racer, signal: AbortSignal) => Promise<PipeError | undefined>
  readonly note: (line: string) => void
}

/**
 * Lets one model work on the task, saves its work and checks it. The work of an interrupted turn is saved too. Throws `tool` if the work
 * cannot be saved.
 */
export async function runRacer(racer: Racer, racing: Racing): Promise<RaceFinish> {
  const { worktree, wired, model } = racer
  const { host } = racing.context
  const started = host.clock.monotonic()
  const turn = await work(racer, racing)
  const durationMs = Math.round(host.clock.monotonic() - started)
  const diff = await worktree.diff(unhurried())
  const judged = turn.error ?? (await judge(racer, racing, diff.files.length))
  const error = typeof judged === 'string' ? undefined : judged
  const result = typeof judged === 'string' ? judged : resultOf(judged, turn.error)
  const { id, ref } = worktree
  racing.note(`${model}: ${result.replace('_', ' ')}${error === undefined ? '' : `: ${error.message}`}`)
  return {
    id,
    ref,
    model,
    result,
    diff,
    durationMs,
    costUsd: wired.conversation.engine.costUsd,
    sessionId: wired.sessionId,
    error,
  }
}

interface Worked {
  /** Why the turn ended early. */
  readonly error: PipeError | undefined
}

async function work(
  { wired, message, model }: Racer,
  { limit, questions, note, context }: Racing,
): Promise<Worked> {
  try {
    const turn = await driveWired(wired, { machine: context.host }).run(message, {
      signal: limit,
      onEvent: (event) => {
        if (context.flags.has('verbose') && event.type === 'tool_start')
          note(`${model}: ${describeCall(event.name, event.arguments)}`)
      },
      onQuestion: (question) => questions.ask(question, model, limit),
    })
    return { error: judgeTurn(turn, undefined).error }
  } catch (error) {
    if (!isPipeError(error)) throw error
    return { error }
  }
}

/** Returns the result of a turn that ended well, or why the check failed. */
async function judge(racer: Racer, { check, limit }: Racing, files: number): Promise<RaceResult | PipeError> {
  if (files === 0) return 'no_changes'
  if (check === undefined) return 'done'
  try {
    return (await check(racer, limit)) ?? 'passed'
  } catch (error) {
    if (!isPipeError(error)) throw error
    return error
  }
}

function resultOf(error: PipeError, early: PipeError | undefined): RaceResult {
  return early === undefined && error.code === 'check' ? 'failed' : 'error'
}
