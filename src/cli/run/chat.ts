import { driveTurn } from '../../agent/drive-turn.ts'
import type { Engine } from '../../engine.ts'
import { isPipeError, PipeError } from '../../error.ts'
import type { AgentEvent } from '../../event.ts'
import type { UserMessage } from '../../message.ts'
import { printable } from '../../terminal/printable.ts'
import { visible } from '../../terminal/visible.ts'
import { attachmentNote } from '../../text/message-note.ts'
import { readSlashCommand } from '../../text/slash-command.ts'
import { readChoices } from '../choices.ts'
import type { Flags } from '../flags.ts'
import type { Host } from '../host.ts'
import { isHiccup, tell } from '../output.ts'
import { type Interruption, signalExitCodes } from '../signals.ts'
import { wire } from '../wiring/wiring.ts'
import { greeting, obey } from './chat-command.ts'
import { fallbackNotice } from './notices.ts'
import { OpenConversation } from './open-conversation.ts'
import { judgeTurn } from './outcome.ts'
import { warnOfLoss, warnOfSaving } from './prompt.ts'
import { answer } from './question.ts'
import { Steering } from './steering.ts'
import { Lines, showActivity, showText } from './text.ts'
import { TypedLines } from './typed-lines.ts'

/**
 * Runs a conversation line by line, for simple terminals. A line typed during a turn steers it. Ctrl+C stops a turn; on an empty
 * line it leaves, as Ctrl+D does.
 */
export async function chat(host: Host, flags: Flags, interruption: Interruption): Promise<number> {
  const { signal } = interruption
  const choices = readChoices(flags, true)
  const conversation = new OpenConversation(
    host,
    { choices, files: flags.all('file') },
    await wire({ host, choices, signal }),
  )
  const { createInterface } = await import('node:readline/promises')
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: true })
  const typed = new TypedLines(lines, (text) => tell(host, text))
  const undivert = interruption.divert(() => void lines.emit('SIGINT'))
  const onFault = (error: Error) => {
    if (!isHiccup(error)) interruption.raise('SIGHUP')
  }
  for (const stream of [process.stdin, process.stderr, lines]) stream.on('error', onFault)
  try {
    const resumable = await view({ host, typed, conversation, signal })
    if (resumable !== undefined) tell(host, `resume with: pipe -r ${resumable}`)
    return interruption.cause === undefined ? 0 : signalExitCodes[interruption.cause]
  } finally {
    undivert()
    lines.close()
    await conversation.close()
  }
}

interface Screen {
  readonly host: Host
  readonly typed: TypedLines
  readonly conversation: OpenConversation
  readonly signal: AbortSignal
}

/** State while a message is answered. */
interface Speaking extends Screen {
  readonly engine: Engine
  readonly steering: Steering
}

/** Reads lines until the person leaves. Returns the session to resume, if it has messages. */
async function view(screen: Screen): Promise<string | undefined> {
  const { host, typed, conversation, signal } = screen
  let resumable: string | undefined
  note(greeting(conversation), host)
  for (;;) {
    const text = await typed.next(signal)
    if (text === undefined) return resumable
    if (text.trim() === '') continue
    const wanted = await attempt(() => understand(text, screen), host)
    if (wanted === 'quit') return resumable
    if (wanted === undefined) continue
    const { engine, sessionId } = conversation.view()
    resumable = sessionId
    const steering = new Steering(engine)
    for (let next: UserMessage | undefined = wanted; next !== undefined; ) {
      next = await take(next, { ...screen, engine, steering })
    }
  }
}

/** Returns the message to send, or `quit`; `undefined` after a command. */
async function understand(text: string, screen: Screen): Promise<UserMessage | 'quit' | undefined> {
  const { conversation, typed, signal, host } = screen
  const abilities = conversation.abilities(signal)
  const command = readSlashCommand(text, abilities)
  if (command?.type === 'quit') return 'quit'
  if (command !== undefined) {
    await stoppable(async (stop) => note(await obey(command, conversation, stop.signal), host), screen)
    return undefined
  }
  const question = abilities.trustQuestion()
  if (question !== undefined) {
    const response = await answer(question, typed.ask, signal)
    host.stderr.write(`pipe: ${visible(await abilities.answerTrust(response))}\n`)
  }
  return abilities.compose(text)
}

/** Reports an error and continues the conversation. */
async function attempt<T>(act: () => Promise<T>, host: Host): Promise<T | undefined> {
  try {
    return await act()
  } catch (error) {
    if (!isPipeError(error)) throw error
    tell(host, error.message)
    return undefined
  }
}

function note(text: string, { stderr }: Host): void {
  stderr.write(`${printable(text)}\n`)
}

/** Runs one turn and reports its error. Returns what was typed too late for it, to send next. */
function take(message: UserMessage, speaking: Speaking): Promise<UserMessage | undefined> {
  const { host, typed, engine, steering } = speaking
  return stoppable(async (stop) => {
    const { signal } = stop
    const shown = new Lines(host.stdout, host.stderr)
    const turn = await typed.during(
      (line) => attempt(() => steer(line, { ...speaking, stop }), host),
      () =>
        driveTurn(engine, message, {
          signal,
          onEvent: (event) => show(event, shown, host),
          onQuestion: (question) => answer(question, typed.answer, signal),
        }),
    )
    shown.endLine()
    const { error } = judgeTurn(turn, undefined)
    if (error !== undefined) shown.note(`pipe: ${error.message}\n`)
    const unsent = signal.aborted ? steering.takeBack() : []
    if (unsent.length > 0) typed.offer(unsent.join(' '))
    return turn.late
  }, speaking)
}

interface RunningTurn extends Speaking {
  readonly stop: AbortController
}

/** Handles a line typed during a turn. Throws `PipeError` if it fails. */
async function steer(
  text: string,
  { conversation, typed, host, stop, steering }: RunningTurn,
): Promise<void> {
  if (text.trim() === '') return
  const abilities = conversation.abilities(stop.signal)
  const command = readSlashCommand(text, abilities)
  if (command === undefined) return steering.send(abilities.compose(text), text)
  switch (command.type) {
    case 'quit':
    case 'clear':
    case 'resume':
      // They end the conversation, and so its turn.
      typed.putBack(text)
      return stop.abort()
    case 'undo':
      throw new PipeError('conflict', 'a turn is running: stop it with Ctrl+C first')
    default:
      return note(await obey(command, conversation, stop.signal), host)
  }
}

function show(event: AgentEvent, shown: Lines, host: Host): void {
  if (event.type === 'turn_start') tellOfFiles(event.message, host)
  warnOfSaving(event, host)
  showText(event, shown)
  showActivity(event, shown)
  if (event.type === 'fallback') shown.note(fallbackNotice(event))
}

function tellOfFiles(message: UserMessage, host: Host): void {
  const attached = attachmentNote(message.metadata)
  if (attached !== undefined) tell(host, attached)
  warnOfLoss(message, host)
}

/** Runs an action that Ctrl+C stops. */
async function stoppable<T>(
  act: (stop: AbortController) => Promise<T>,
  { typed, signal }: Screen,
): Promise<T> {
  const stop = new AbortController()
  const onInterrupt = () => stop.abort()
  signal.addEventListener('abort', onInterrupt, { once: true })
  try {
    return await typed.interruptible(onInterrupt, () => act(stop))
  } finally {
    signal.removeEventListener('abort', onInterrupt)
  }
}
