import type { Interface } from 'node:readline/promises'
import type { Turn } from '../../engine.ts'
import type { UserMessage } from '../../message.ts'
import { printable } from '../../terminal/printable.ts'
import { visible } from '../../terminal/visible.ts'
import type { AskLine } from '../controlling-terminal.ts'
import type { Flags } from '../flags.ts'
import type { Host } from '../host.ts'
import { tell } from '../output.ts'
import { type Interruption, signalExitCodes } from '../signals.ts'
import { type Wired, wire } from '../wiring/wiring.ts'
import { createComposer } from './composer.ts'
import { judgeTurn } from './outcome.ts'
import { warnOfRemoval } from './prompt.ts'
import { answer } from './question.ts'
import { Lines, showActivity, showText } from './text.ts'

/** A conversation line by line, for a terminal that cannot do more. Ctrl+C stops a turn; on an empty line, like Ctrl+D, it leaves. */
export async function chat(host: Host, flags: Flags, interruption: Interruption): Promise<number> {
  const { signal } = interruption
  const wired = await wire({ host, flags, signal, interactive: true })
  const { createInterface } = await import('node:readline/promises')
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: true })
  try {
    for (const warning of wired.warnings) tell(host, warning)
    host.stderr.write(`pipe ${printable(wired.model)} · Ctrl+C stops, Ctrl+D leaves\n`)
    const compose = createComposer(wired, flags, host)
    let said = false
    for (;;) {
      const text = await readLine(lines)('> ', signal)
      if (text === undefined) break
      if (text.trim() === '') continue
      await admit(wired, { host, lines, signal })
      const message = compose(text)
      said = true
      await take(wired, message, { host, lines, signal })
    }
    if (wired.sessionId !== undefined && said) tell(host, `go on with: pipe -r ${wired.sessionId}`)
    return interruption.cause === undefined ? 0 : signalExitCodes[interruption.cause]
  } finally {
    lines.close()
    await wired.close()
  }
}

/** Puts the question of trust, where there is one, before anything is sent. */
async function admit({ trust }: Wired, { host, lines, signal }: Screen): Promise<void> {
  const question = trust.question()
  if (question === undefined) return
  const response = await answer(question, readLine(lines), signal)
  host.stderr.write(`pipe: ${visible(await trust.answer(response))}\n`)
}

interface Screen {
  readonly host: Host
  readonly lines: Interface
  readonly signal: AbortSignal
}

/** One turn, with a Ctrl+C of its own. What went wrong is said; the conversation goes on. */
async function take(
  { conversation: { engine } }: Wired,
  message: UserMessage,
  { host, lines, signal }: Screen,
): Promise<void> {
  const stop = new AbortController()
  const onInterrupt = () => stop.abort()
  lines.on('SIGINT', onInterrupt)
  signal.addEventListener('abort', onInterrupt, { once: true })
  const shown = new Lines(host.stdout, host.stderr)
  try {
    const turn = engine.submit(message, { signal: stop.signal })
    let ended: Turn | undefined
    while (ended === undefined) {
      const step = await turn.next()
      if (step.done === true) {
        ended = step.value
        continue
      }
      if (step.value.type === 'turn_start') warnOfRemoval(step.value.message, host)
      showText(step.value, shown)
      showActivity(step.value, shown)
      if (step.value.type === 'interaction_requested') {
        const response = await answer(step.value.interaction, readLine(lines), stop.signal)
        // An abort has settled the question already.
        if (!stop.signal.aborted) engine.send({ type: 'respond', response })
      }
    }
    shown.endLine()
    const { error } = judgeTurn(ended, undefined)
    if (error !== undefined) shown.note(`pipe: ${error.message}\n`)
  } finally {
    lines.off('SIGINT', onInterrupt)
    signal.removeEventListener('abort', onInterrupt)
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
