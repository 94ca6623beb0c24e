import type { Clock } from '../clock.ts'
import type { LocalConversation, Watched } from '../conversation.ts'
import { PipeError } from '../error.ts'
import type { AgentEvent } from '../event.ts'
import { readSlashCommand } from '../frontend/slash/slash-command.ts'
import { attachmentNote } from '../frontend/words/message-note.ts'
import type { UserMessage } from '../message.ts'
import { type Outputs, printWarning } from '../terminal/output.ts'
import type { FindLook } from '../tool.ts'
import { announce, byLine, endOf } from './announce.ts'
import { runCommand } from './chat-command.ts'
import type { OpenFollower } from './chat-follower.ts'
import { attempt, writeNote } from './chat-notes.ts'
import type { AskLine } from './line-question.ts'
import { isModeMeant, type ModeContext } from './mode-choice.ts'
import { noticeOf, warnOfLoss } from './notices.ts'
import { faultOf } from './outcome.ts'
import { Steering } from './steering.ts'
import { Lines, showActivity, showText } from './text.ts'
import type { TypedLines } from './typed-lines.ts'

/** A conversation and its terminal. */
export interface Chat extends Outputs, ModeContext {
  readonly typed: TypedLines
  /** Asks during a turn, one question at a time. */
  readonly ask: AskLine
  readonly follower: OpenFollower
  /** Finds how calls of a tool look. */
  readonly look: FindLook
  /** Tells the time of what is said in words. Absent: marks. */
  readonly aloud?: Pick<Clock, 'monotonic'>
  /** Ends the conversation. */
  readonly signal: AbortSignal
}

/** Begins a turn, and lets the user steer or stop it and those that follow. Returns when none runs. */
export function takeTurn(
  begin: (conversation: LocalConversation) => Promise<unknown>,
  chat: Chat,
): Promise<void> {
  const { typed, follower, conversation } = chat
  const open = conversation.view().conversation
  const steering = new Steering(open)
  return typed.stoppable(chat.signal, async (stop) => {
    // A signal that ends the program leaves an open question for the next run.
    const interrupt = () => void open.interrupt(stop.signal.reason)
    stop.signal.addEventListener('abort', interrupt, { once: true })
    await typed.during(
      (line) => attempt(() => steer(line, { ...chat, stop, steering }), chat),
      () => follower.open().during(() => begin(open)),
    )
    const unsent = stop.signal.aborted ? await steering.takeBack() : []
    if (unsent.length > 0) typed.offer(unsent.join(' '))
  })
}

interface RunningTurn extends Chat {
  readonly stop: AbortController
  readonly steering: Steering
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
      if (command.id === undefined) return writeNote(await runCommand(command, turn, stop.signal), turn)
      typed.putBack(text)
      return stop.abort()
    case 'undo':
    case 'rewind':
    case 'tree':
      throw new PipeError('conflict', 'a turn is running: stop it with Ctrl+C first')
    case 'mode':
      if (!(await isModeMeant(command, turn, turn.ask, stop.signal))) return
      return writeNote(await runCommand(command, turn, stop.signal), turn)
    default:
      return writeNote(await runCommand(command, turn, stop.signal), turn)
  }
}

/** Shows the turns of a conversation. */
export class ShownTurn {
  readonly #outputs: Pick<Chat, 'stdout' | 'stderr' | 'aloud' | 'look'>
  readonly #lines: Lines
  #begun = 0

  constructor(outputs: Pick<Chat, 'stdout' | 'stderr' | 'aloud' | 'look'>) {
    const { stdout, stderr, aloud, look } = outputs
    this.#outputs = outputs
    this.#lines = new Lines(aloud === undefined ? stdout : byLine(stdout), stderr, look)
  }

  show(watched: Watched): void {
    if (watched.type === 'event' && watched.isOwn) this.#event(watched.event)
    if (watched.type !== 'ended') return
    const { aloud } = this.#outputs
    this.#lines.endLine()
    const error = faultOf(watched.ending)
    if (error !== undefined) this.#lines.note(`pipe: ${error.message}\n`)
    if (aloud !== undefined) this.#lines.note(endOf(aloud.monotonic() - this.#begun, error !== undefined))
  }

  #event(event: AgentEvent): void {
    const { aloud } = this.#outputs
    if (event.type === 'turn_start') {
      this.#begun = aloud?.monotonic() ?? 0
      if (event.message !== undefined) tellOfFiles(event.message, this.#outputs)
    }
    showText(event, this.#lines)
    if (aloud === undefined) showActivity(event, this.#lines)
    else announce(event, this.#lines)
    const notice = noticeOf(event)
    if (notice !== undefined) this.#lines.note(notice)
  }
}

function tellOfFiles(message: UserMessage, outputs: Outputs): void {
  const attached = attachmentNote(message.metadata)
  if (attached !== undefined) printWarning(outputs, attached)
  warnOfLoss(message, outputs)
}
