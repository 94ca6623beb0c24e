import type { Interface } from 'node:readline/promises'
import type { Engine, Turn } from '../../engine.ts'
import { isPipeError } from '../../error.ts'
import type { AgentEvent } from '../../event.ts'
import { readCommand } from '../../ink/commands.ts'
import type { UserMessage } from '../../message.ts'
import { attachmentNote } from '../../message-note.ts'
import { printable } from '../../terminal/printable.ts'
import { visible } from '../../terminal/visible.ts'
import type { AskLine } from '../controlling-terminal.ts'
import type { Flags } from '../flags.ts'
import type { Host } from '../host.ts'
import { isHiccup, tell } from '../output.ts'
import { type Interruption, signalExitCodes } from '../signals.ts'
import { wire } from '../wiring/wiring.ts'
import { greeting, obey } from './chat-command.ts'
import { fallbackNotice } from './notices.ts'
import { judgeTurn } from './outcome.ts'
import { warnOfLoss, warnOfSaving } from './prompt.ts'
import { answer } from './question.ts'
import { Room } from './room.ts'
import { Lines, showActivity, showText } from './text.ts'

/** A conversation line by line, for a terminal that cannot do more. Ctrl+C stops a turn; on an empty line, like Ctrl+D, it leaves. */
export async function chat(host: Host, flags: Flags, interruption: Interruption): Promise<number> {
  const { signal } = interruption
  const room = new Room(host, flags, await wire({ host, flags, signal, interactive: true }))
  const { createInterface } = await import('node:readline/promises')
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: true })
  const screen = { host, lines, signal }
  const undivert = interruption.divert(() => void lines.emit('SIGINT'))
  const onFault = (error: Error) => {
    if (!isHiccup(error)) interruption.raise('SIGHUP')
  }
  for (const stream of [process.stdin, process.stderr, lines]) stream.on('error', onFault)
  let resumable: string | undefined
  try {
    note(greeting(room), host)
    for (;;) {
      const text = await readLine(lines)('> ', signal)
      if (text === undefined) break
      if (text.trim() === '') continue
      const wanted = await attempt(() => understand(text, room, screen), host)
      if (wanted === 'quit') break
      if (wanted === undefined) continue
      resumable = room.talk().sessionId
      await take(room.talk().engine, wanted, screen)
    }
    if (resumable !== undefined) tell(host, `go on with: pipe -r ${resumable}`)
    return interruption.cause === undefined ? 0 : signalExitCodes[interruption.cause]
  } finally {
    undivert()
    lines.close()
    await room.close()
  }
}

interface Screen {
  readonly host: Host
  readonly lines: Interface
  readonly signal: AbortSignal
}

/** What a line says to the model, or that it asks to leave; `undefined` where it asked for something that is done now. */
async function understand(
  text: string,
  room: Room,
  screen: Screen,
): Promise<UserMessage | 'quit' | undefined> {
  const abilities = room.abilities(screen.signal)
  const command = readCommand(text, abilities)
  if (command?.type === 'quit') return 'quit'
  if (command !== undefined) {
    await stoppable(async (stop) => note(await obey(command, room, stop), screen.host), screen)
    return undefined
  }
  const question = abilities.trustQuestion()
  if (question !== undefined) {
    const response = await answer(question, readLine(screen.lines), screen.signal)
    screen.host.stderr.write(`pipe: ${visible(await abilities.answerTrust(response))}\n`)
  }
  return abilities.compose(text)
}

/** What cannot be done is said; the conversation goes on. */
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

/** One turn. What went wrong is said; the conversation goes on. */
function take(engine: Engine, message: UserMessage, screen: Screen): Promise<void> {
  const { host, lines } = screen
  return stoppable(async (signal) => {
    const shown = new Lines(host.stdout, host.stderr)
    const turn = engine.submit(message, { signal })
    let failure: { readonly error: unknown } | undefined
    let ended: Turn | undefined
    while (ended === undefined) {
      const step = await turn.next()
      if (step.done === true) {
        ended = step.value
        continue
      }
      if (failure !== undefined) continue
      try {
        show(step.value, shown, host)
      } catch (error) {
        // The terminal is gone: save the conversation before reporting that.
        failure = { error }
        engine.send({ type: 'interrupt' })
        continue
      }
      if (step.value.type === 'interaction_requested') {
        const response = await answer(step.value.interaction, readAnswer(lines, host), signal)
        // An abort has settled the question already.
        if (!signal.aborted) engine.send({ type: 'respond', response })
      }
    }
    if (failure !== undefined) throw failure.error
    shown.endLine()
    const { error } = judgeTurn(ended, undefined)
    if (error !== undefined) shown.note(`pipe: ${error.message}\n`)
  }, screen)
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

/** Does something with a Ctrl+C of its own. */
async function stoppable(
  act: (signal: AbortSignal) => Promise<void>,
  { lines, signal }: Screen,
): Promise<void> {
  const stop = new AbortController()
  const onInterrupt = () => stop.abort()
  lines.on('SIGINT', onInterrupt)
  signal.addEventListener('abort', onInterrupt, { once: true })
  try {
    await act(stop.signal)
  } finally {
    lines.off('SIGINT', onInterrupt)
    signal.removeEventListener('abort', onInterrupt)
  }
}

/** Reads an answer from the prompt. Rejects a line that contains text typed before the question appeared. */
function readAnswer(lines: Interface, host: Host): AskLine {
  const read = readLine(lines)
  return async (question, signal) => {
    for (let ask = question; ; ask = '> ') {
      const draft = lines.line.trim()
      const line = await read(ask, signal)
      if (line === undefined || draft === '' || !line.includes(draft)) return line
      tell(host, 'you began that line before the question came: it is no answer (↑ brings it back)')
    }
  }
}

/** A line from the prompt; `undefined` at its end, on Ctrl+C with nothing typed, or when the signal fires. */
function readLine(lines: Interface): AskLine {
  return async (question, signal) => {
    const leave = new AbortController()
    const onLeave = () => leave.abort()
    const onInterrupt = () => {
      if (lines.line === '') onLeave()
      else lines.write(null, { ctrl: true, name: 'u' })
    }
    lines.once('close', onLeave)
    lines.on('SIGINT', onInterrupt)
    signal.addEventListener('abort', onLeave, { once: true })
    try {
      return await lines.question(question, { signal: leave.signal })
    } catch (error) {
      if (leave.signal.aborted) return undefined
      throw error
    } finally {
      lines.off('close', onLeave)
      lines.off('SIGINT', onInterrupt)
      signal.removeEventListener('abort', onLeave)
    }
  }
}
