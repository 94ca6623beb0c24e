import { PipeError, throwIfAborted } from '../../../error.ts'
import type { RedirectListener } from '../../../http/redirect-listener.ts'
import { printWarning } from '../../../terminal/output.ts'
import { askOnTerminal, hasControllingTerminal } from '../../controlling-terminal.ts'
import type { RunContext } from '../../run-context.ts'
import { isTerminal } from '../../standard-output.ts'

/** Time in ms that a user has to sign in. */
const patienceMs = 600_000

/**
 * Waits until the browser is sent back, or the user pastes the address that it was sent to, which works from another machine. Throws
 * `timeout`, `aborted`.
 */
export async function awaitRedirect(
  listener: RedirectListener,
  isAnswer: (answer: URLSearchParams) => boolean,
  { host, signal }: RunContext,
): Promise<URLSearchParams> {
  const canAsk = host.stderr.isTerminal && (await isTerminal(0)) && hasControllingTerminal()
  const stop = new AbortController()
  const ended = AbortSignal.any([signal, stop.signal])
  const onForeign = () => printWarning(host, 'an answer to another sign-in was ignored')
  const late = async (): Promise<never> => {
    await host.clock.sleep(patienceMs, ended)
    throw new PipeError('timeout', `nobody signed in within ${patienceMs / 60_000} minutes`)
  }
  const ways = [listener.answer(isAnswer, { signal: ended, onForeign }), late()]
  const pasted = canAsk ? pastedAnswer(isAnswer, ended) : undefined
  if (pasted !== undefined) ways.push(pasted)
  try {
    const answer = await Promise.race(ways)
    // The question is still open on its line when the browser answers first.
    if (pasted !== undefined && (await Promise.race([pasted, undefined])) !== answer) host.stderr.write('\n')
    return answer
  } catch (error) {
    throwIfAborted(signal)
    throw error
  } finally {
    stop.abort()
    await Promise.allSettled(ways)
  }
}

/** Asks for the address until one answers the sign-in. Waits for the other ways when the user leaves the line. */
async function pastedAnswer(
  isAnswer: (answer: URLSearchParams) => boolean,
  signal: AbortSignal,
): Promise<URLSearchParams> {
  let question = 'If the browser is on another machine, paste the address it ends at: '
  for (;;) {
    const line = await askOnTerminal(question, signal)
    throwIfAborted(signal)
    if (line === undefined) return untilAborted(signal)
    const text = line.trim()
    const answer = URL.canParse(text) ? new URL(text).searchParams : new URLSearchParams()
    if (isAnswer(answer)) return answer
    question = 'This address does not answer this sign-in. Paste it whole, from http:// on: '
  }
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new PipeError('aborted', 'interrupted')), { once: true })
  })
}
