import type { Deadline } from '../../agent/limits/deadline.ts'
import { isPipeError } from '../../error.ts'
import { splitLines } from '../../files/reading/split-lines.ts'
import type { JsonObject } from '../../json-value.ts'
import { BrokenPipe, printWarning } from '../../terminal/output.ts'
import { judgeFailure, type Outcome } from '../outcome.ts'
import { RunResult } from '../run-result.ts'
import { type ControlledConversation, type ControlledParts, ControlledTurns } from './controlled-turns.ts'
import { type Frame, readFrame } from './frame.ts'
import { carryOutRequest } from './requests.ts'

export interface ControlledRun extends ControlledParts {
  /** The lines of the program. */
  readonly input: AsyncIterable<Uint8Array>
  /** Makes the input end. */
  readonly stopInput: () => void
  /** Drops notices. */
  readonly quiet: boolean
  /** Starts the time limit of the run. Throws `usage`. */
  startDeadline(): Deadline
  /** Opens the conversation as the program's `initialize` says, if that comes first. Throws `PipeError`. */
  open(initialize: JsonObject | undefined, signal: AbortSignal): Promise<ControlledConversation>
}

/** The longest line that is read, in bytes. */
const maxLineBytes = 256 * 1024 * 1024

/**
 * Runs a conversation that a program drives: messages and requests come in as lines, and what happens goes out as lines. Ends once the
 * input has ended and nothing goes on by itself. Returns the outcome of the last turn. Reports a failure and then throws it.
 */
export async function runControlled(run: ControlledRun): Promise<Outcome> {
  const { reporter, interruption, program } = run
  let deadline: Deadline | undefined
  let isOpen = false
  try {
    deadline = run.startDeadline()
    const { signal } = deadline
    const frames = readFrames(run, signal)
    const first = await frames.next()
    if (first.done === true) return { exitCode: 0 }
    const opened = await open(first.value, run, signal)
    isOpen = true
    try {
      return await converse(frames, first.value, { run, opened, signal })
    } finally {
      program.leave()
      await opened.close()
    }
  } catch (thrown) {
    const error = (isPipeError(thrown) ? deadline?.error : undefined) ?? thrown
    if (!isOpen && !(error instanceof BrokenPipe)) {
      const outcome = judgeFailure(error, interruption.cause)
      const result = new RunResult()
      reporter.end(result, outcome, result.toJson(outcome, { sessionId: undefined, durationMs: 0 }))
    }
    throw error
  } finally {
    deadline?.end()
    run.stopInput()
  }
}

/** Reads the lines of the program. Empty ones mean nothing. */
async function* readFrames(
  { input, stopInput }: ControlledRun,
  signal: AbortSignal,
): AsyncGenerator<Frame, undefined, undefined> {
  signal.addEventListener('abort', stopInput, { once: true })
  try {
    for await (const { number, bytes } of splitLines(input, maxLineBytes)) {
      const line = bytes.toString('utf8').trim()
      if (line === '') continue
      const frame = readFrame(line)
      if (frame.type === 'bad') yield { ...frame, reason: `line ${number}: ${frame.reason}` }
      else if (frame.type === 'user' && frame.fault !== undefined)
        yield { ...frame, fault: `line ${number}: ${frame.fault}` }
      else yield frame
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    signal.removeEventListener('abort', stopInput)
  }
}

async function open(first: Frame, run: ControlledRun, signal: AbortSignal): Promise<ControlledConversation> {
  const { program, quiet } = run
  const isInitialize = first.type === 'request' && first.request['subtype'] === 'initialize'
  try {
    const opened = await run.open(isInitialize ? first.request : undefined, signal)
    for (const warning of opened.warnings) printWarning(run, warning)
    if (!quiet) for (const notice of opened.notices) printWarning(run, notice)
    return opened
  } catch (error) {
    if (first.type === 'request' && isPipeError(error)) program.complain(first.id, error.message)
    throw error
  }
}

interface Conversing {
  readonly run: ControlledRun
  readonly opened: ControlledConversation
  readonly signal: AbortSignal
}

/** Takes lines and follows the conversation until both have ended. */
async function converse(
  frames: AsyncGenerator<Frame, undefined, undefined>,
  first: Frame,
  { run, opened, signal }: Conversing,
): Promise<Outcome> {
  const turns = new ControlledTurns(opened, run, signal)
  const take = (frame: Frame) => takeFrame(frame, turns, run)
  const reading = async () => {
    take(first)
    for await (const frame of frames) take(frame)
    run.program.leave()
    turns.endInput()
  }
  const read = reading().catch((error: unknown) => {
    turns.fail(error)
  })
  try {
    return await turns.follow()
  } finally {
    run.stopInput()
    await read
  }
}

/** A program that says again how it begins may have lost what it was asked. */
function openIn({ subtype }: JsonObject, program: ControlledParts['program']): JsonObject {
  return subtype === 'initialize' ? { pending_permission_requests: program.openQuestions() } : {}
}

/** Acts on a line at once: nothing that it begins keeps the next line waiting. */
function takeFrame(frame: Frame, turns: ControlledTurns, { program }: ControlledParts): void {
  switch (frame.type) {
    case 'user':
      turns.send(frame)
      return
    case 'request':
      turns.keep(
        carryOutRequest(frame.request, turns.controls).then(
          (response) => program.reply(frame.id, response, openIn(frame.request, program)),
          (error: unknown) => {
            if (!isPipeError(error)) throw error
            program.complain(frame.id, error.message)
          },
        ),
      )
      return
    case 'answer':
      program.answered(frame.id, frame.answer)
      return
    case 'refusal':
      program.refused(frame.id, frame.reason)
      return
    case 'bad':
      program.complain(frame.id ?? '', frame.reason)
      return
    case 'other':
      return
  }
}
