import type { Clock } from '../clock.ts'
import type { LocalConversation } from '../conversation.ts'
import { isHiccup } from '../files/system-error.ts'
import { readSlashCommand } from '../frontend/slash/slash-command.ts'
import type { SessionSummary } from '../session.ts'
import { type Outputs, printWarning } from '../terminal/output.ts'
import { visible } from '../terminal/visible.ts'
import type { FindLook } from '../tool.ts'
import { asQuestion } from './announce.ts'
import { type CurrentConversation, greeting, runCommand } from './chat-command.ts'
import { OpenFollower } from './chat-follower.ts'
import { attempt, writeNote } from './chat-notes.ts'
import { goBack } from './chat-rewind.ts'
import { type Chat, ShownTurn, takeTurn } from './chat-turn.ts'
import { type AskLine, putQuestion as put } from './line-question.ts'
import { decideOnPlan, isModeMeant } from './mode-choice.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { askForSession, recentSessions } from './session-list.ts'
import { TypedLines } from './typed-lines.ts'

/** A simple terminal. */
export interface ChatTerminal extends Outputs {
  /** Returns its width. */
  readonly columns: () => number
  readonly keyboard: NodeJS.ReadableStream
  /**
   * Tells the time of what is said in words, for a screen reader: whole lines, no marks, and the terminal itself edits what is typed. Absent:
   * marks, and an editor with a history.
   */
  readonly aloud?: Pick<Clock, 'monotonic'>
  /** Finds how calls of a tool look. */
  readonly look: FindLook
  /** Shows the line that the user is typing. */
  readonly echo: NodeJS.WritableStream
  /** Ends the conversation. */
  readonly signal: AbortSignal
  /** Called when the terminal is gone; must fire the signal. */
  readonly onGone: () => void
  /** Calls back for each external interrupt, until the returned function is called. */
  readonly watchInterrupt: (onInterrupt: () => void) => () => void
}

export interface ChatOptions extends ChatTerminal {
  readonly conversation: CurrentConversation
  /** Sent at the start, as if the user had typed it. Default: none. */
  readonly firstPrompt?: string | undefined
}

/**
 * Runs a conversation line by line, for simple terminals. A line typed during a turn steers it. Ctrl+C stops a turn; on an empty
 * line it leaves, as Ctrl+D does. Returns the session to resume, if it has messages.
 */
export function runChat({
  conversation,
  firstPrompt,
  ...terminal
}: ChatOptions): Promise<string | undefined> {
  return onLines(terminal, async (typed) => {
    const answer: AskLine = (question, signal) => typed.answer(asQuestion(question), signal)
    const ask = oneAtATime(terminal.aloud === undefined ? typed.answer : answer)
    const follower = new OpenFollower(() => {
      const shown = new ShownTurn(terminal)
      return {
        conversation: conversation.view().conversation,
        onWatched: (watched) => shown.show(watched),
        onRefused: ({ message }) => printWarning(terminal, message),
        answer: (question, signal) => put(question, ask, AbortSignal.any([signal, terminal.signal])),
      }
    })
    try {
      if (firstPrompt !== undefined) typed.putBack(firstPrompt)
      return await converse({
        ...terminal,
        conversation,
        lists: {},
        unasked: new WeakSet(),
        typed,
        ask,
        follower,
      })
    } finally {
      await follower.close()
    }
  })
}

/** Lists sessions and asks for the number of one. Returns its id; `undefined` if the user leaves. */
export function pickByNumber(
  sessions: AsyncIterable<SessionSummary>,
  terminal: ChatTerminal,
): Promise<string | undefined> {
  return onLines(terminal, async ({ ask }) => {
    const list = await recentSessions(sessions)
    writeNote(list.text, terminal)
    return askForSession(list, ask, terminal.signal)
  })
}

/** Reads lines from the terminal while `act` runs. */
async function onLines<T>(terminal: ChatTerminal, act: (typed: TypedLines) => Promise<T>): Promise<T> {
  const { keyboard, echo, aloud, onGone, watchInterrupt } = terminal
  const { createInterface } = await import('node:readline/promises')
  const lines = createInterface({ input: keyboard, output: echo, terminal: aloud === undefined })
  const unwatchInterrupt = watchInterrupt(() => void lines.emit('SIGINT'))
  // Node pauses the keyboard when the shell continues the program.
  lines.on('SIGCONT', () => void lines.resume())
  const onFault = (error: Error) => {
    if (!isHiccup(error)) onGone()
  }
  for (const stream of [keyboard, echo, lines]) stream.on('error', onFault)
  try {
    return await act(new TypedLines(lines, (text) => printWarning(terminal, text), aloud === undefined))
  } finally {
    unwatchInterrupt()
    lines.close()
  }
}

/** The next wish of the user: a turn, which may have a message. */
interface Wanted {
  readonly begin: (conversation: LocalConversation) => Promise<unknown>
  readonly isMessage: boolean
}

/** Reads lines until the user leaves. */
async function converse(chat: Chat): Promise<string | undefined> {
  const { conversation } = chat
  let resumable: string | undefined
  writeNote(greeting(conversation), chat)
  resumable = await resume(chat)
  for (;;) {
    const wanted = await nextTurn(chat)
    if (wanted === 'quit') return resumable
    if (wanted === undefined) continue
    const { sessionId } = conversation.view()
    if (wanted.isMessage) resumable = sessionId
    await takeTurn(wanted.begin, chat)
    if (wanted.isMessage) await followPlan(chat)
  }
}

/** Asks about plans until one is not to be carried out, and takes the turns that the answers begin. */
async function followPlan(chat: Chat): Promise<void> {
  const { conversation, signal } = chat
  for (;;) {
    const text = await attempt(() => decideOnPlan(chat), chat)
    if (text === undefined) return
    const message = conversation.api(signal).compose(text)
    await takeTurn((open) => open.send(message), chat)
  }
}

/** Returns what to begin, or the turn that the result of an elf has begun. As `understand` otherwise. */
async function nextTurn(chat: Chat): Promise<Wanted | 'quit' | undefined> {
  const { typed, follower, signal } = chat
  const open = follower.open()
  if (open.isNeeded) return { begin: async () => undefined, isMessage: true }
  const news = open.nextNews()
  const text = await typed.next(AbortSignal.any([signal, news]))
  if (text === undefined) return news.aborted && !signal.aborted ? undefined : 'quit'
  return text.trim() === '' ? undefined : attempt(() => understand(text, chat), chat)
}

/** Asks what an earlier run left open, unless the user has yet to trust the folder. */
async function resume(chat: Chat): Promise<string | undefined> {
  const { conversation, signal } = chat
  const { conversation: open, sessionId } = conversation.view()
  if (!open.canResume || conversation.api(signal).trustQuestion() !== undefined) return undefined
  await takeTurn((resumed) => resumed.goOn(), chat)
  return sessionId
}

/** Returns what to begin, or that the user leaves; `undefined` after a command. */
async function understand(text: string, chat: Chat): Promise<Wanted | 'quit' | undefined> {
  const { conversation, typed, signal, stderr } = chat
  const api = conversation.api(signal)
  const command = readSlashCommand(text, api)
  if (command?.type === 'quit') return 'quit'
  if (!(await isModeMeant(command, chat, typed.ask, signal))) return undefined
  // The summary waits for the first message if the user has yet to trust the folder.
  if (command?.type === 'compact' && api.trustQuestion() === undefined)
    return { begin: (open) => open.compact(command.keep), isMessage: false }
  if (command !== undefined && command.type !== 'prompt') {
    const act = ({ signal: stopped }: AbortController) =>
      command.type === 'rewind' || command.type === 'tree'
        ? goBack(command, chat, stopped)
        : runCommand(command, chat, stopped)
    const told = await typed.stoppable(signal, act)
    writeNote(told, chat)
    return undefined
  }
  const words = command?.text ?? text
  for (;;) {
    const question = api.trustQuestion(words)
    if (question === undefined) break
    const response = await put(question, typed.ask, signal)
    stderr.write(`pipe: ${visible(await api.answerTrust(response))}\n`)
    if (api.startsAnew()) await api.newConversation()
  }
  const told = await api.prepare(words)
  if (told !== undefined) writeNote(told, chat)
  const message = api.compose(words)
  return { begin: (open) => open.send(message), isMessage: true }
}
