import { driveTurn } from '../agent/drive-turn.ts'
import type { Clock } from '../clock.ts'
import type { Engine } from '../engine.ts'
import { PipeError } from '../error.ts'
import type { AgentEvent } from '../event.ts'
import { readSlashCommand } from '../frontend/slash/slash-command.ts'
import { attachmentNote } from '../frontend/words/message-note.ts'
import type { UserMessage } from '../message.ts'
import { type Outputs, printWarning } from '../terminal/output.ts'
import { announce, byLine, endOf } from './announce.ts'
import { type ChatContext, runCommand } from './chat-command.ts'
import type { OpenElves } from './chat-elves.ts'
import { attempt, note } from './chat-notes.ts'
import { noticeOf, warnOfLoss } from './notices.ts'
import { faultOf } from './outcome.ts'
import { type AskLine, answer } from './question.ts'
import { Steering } from './steering.ts'
import { Lines, showActivity, showText } from './text.ts'
import type { TypedLines } from './typed-lines.ts'

/** A conversation and its terminal. */
export interface Chat extends Outputs, ChatContext {
  readonly typed: TypedLines
  /** Asks during a turn, one question at a time. */
  readonly ask: AskLine
  readonly elves: OpenElves
  /** Tells the time of what is said in words. Absent: marks. */
  readonly aloud?: Pick<Clock, 'monotonic'>
  /** Ends the conversation. */
  readonly signal: AbortSignal
}

/** Sends a message, or resumes without one, then sends each one that was typed too late for its turn. */
export async function answerMessage(
  message: UserMessage | undefined,
  engine: Engine,
  chat: Chat,
): Promise<void> {
  const steering = new Steering(engine)
  let next = await takeTurn(message, { ...chat, engine, steering })
  while (next !== undefined) next = await takeTurn(next, { ...chat, engine, steering })
}

/** The state during an answer. */
interface Answering extends Chat {
  readonly engine: Engine
  readonly steering: Steering
}

/** Runs one turn and reports its error. Returns what was typed too late for it, to send next. */
function takeTurn(message: UserMessage | undefined, answering: Answering): Promise<UserMessage | undefined> {
  const { stdout, stderr, typed, ask, elves, engine, steering } = answering
  return typed.stoppable(answering.signal, async (stop) => {
    const { signal } = stop
    const { aloud } = answering
    const begun = aloud?.monotonic() ?? 0
    const shown = new Lines(aloud === undefined ? stdout : byLine(stdout), stderr)
    const turn = await typed.during(
      (line) => attempt(() => steer(line, { ...answering, stop }), answering),
      () =>
        elves.open().during(() =>
          driveTurn(engine, message, {
            signal,
            onEvent: (event) => show(event, shown, answering),
            onQuestion: (question) => answer(question, ask, signal),
          }),
        ),
    )
    shown.endLine()
    const error = faultOf(turn)
    if (error !== undefined) shown.note(`pipe: ${error.message}\n`)
    if (aloud !== undefined) shown.note(endOf(aloud.monotonic() - begun, error !== undefined))
    const unsent = signal.aborted ? steering.takeBack() : []
    if (unsent.length > 0) typed.offer(unsent.join(' '))
    return turn.late
  })
}

interface RunningTurn extends Answering {
  readonly stop: AbortController
}

/** Handles a line typed during a turn. Throws `PipeError` if it fails. */
async function steer(text: string, turn: RunningTurn): Promise<void> {
  const { conversation, typed, stop, steering } = turn
  if (text.trim() === '') return
  const api = conversation.api(stop.signal)
  const command = readSlashCommand(text, api)
  if (command === undefined || command.type === 'prompt')
    return steering.send(api.compose(command?.text ?? text), text)
  switch (command.type) {
    case 'quit':
    case 'clear':
    case 'fork':
      // These end the conversation, and with it the turn.
      typed.putBack(text)
      return stop.abort()
    case 'resume':
      // Without an id it only lists conversations.
      if (command.id === undefined) return note(await runCommand(command, turn, stop.signal), turn)
      typed.putBack(text)
      return stop.abort()
    case 'undo':
    case 'rewind':
    case 'tree':
      throw new PipeError('conflict', 'a turn is running: stop it with Ctrl+C first')
    default:
      return note(await runCommand(command, turn, stop.signal), turn)
  }
}

function show(event: AgentEvent, shown: Lines, outputs: Answering): void {
  if (event.type === 'turn_start' && event.message !== undefined) tellOfFiles(event.message, outputs)
  showText(event, shown)
  if (outputs.aloud === undefined) showActivity(event, shown)
  else announce(event, shown)
  const notice = noticeOf(event)
  if (notice !== undefined) shown.note(notice)
}

function tellOfFiles(message: UserMessage, outputs: Outputs): void {
  const attached = attachmentNote(message.metadata)
  if (attached !== undefined) printWarning(outputs, attached)
  warnOfLoss(message, outputs)
}
