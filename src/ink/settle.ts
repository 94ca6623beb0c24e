import { present } from '../present.ts'
import { flush } from './draft.ts'
import { type Prompt, promptText, writePrompt } from './prompt.ts'
import { type Entry, isWhole, type OpenCall, type Screen } from './state.ts'

/** A line of the program itself in the transcript. */
export function note(screen: Screen, level: 'info' | 'error', text: string): Screen {
  return { ...screen, finished: [...screen.finished, { type: 'note', level, text }] }
}

/** No turn runs any more: what was being written is final, what was queued goes back to the prompt. */
export function settle(screen: Screen, reason: string | undefined): Screen {
  const flushed = flush(screen)
  const stopped = screen.calls.filter(isWhole).map((call) => interruptedEntry(call, screen.now))
  const closed = { ...flushed, finished: [...flushed.finished, ...stopped] }
  const ended = reason === undefined ? closed : note(closed, 'info', reason)
  return {
    ...ended,
    calls: [],
    questions: [],
    queued: [],
    busySince: undefined,
    typedAt: undefined,
    prompt: giveBack(
      screen.prompt,
      screen.queued.map(({ text }) => text),
    ),
  }
}

/** A call that will not end any more. */
function interruptedEntry({ name, arguments: args, startedAt, output }: OpenCall, now: number): Entry {
  const durationMs = startedAt === undefined ? undefined : now - startedAt
  const ended = { name, arguments: args, isError: true, isInterrupted: true, text: output } as const
  return { type: 'tool', ...ended, ...present({ durationMs }) }
}

/** What is sent while something is done waits for its end. */
export function postpone(screen: Screen, text: string): Screen {
  const { errand } = screen
  return errand === undefined ? screen : { ...screen, errand: { ...errand, later: [...errand.later, text] } }
}

/** What waited is sent by whoever has done it, or goes back to the prompt. */
export function endErrand({ errand, ...screen }: Screen, isDone: boolean): Screen {
  const prompt = isDone ? screen.prompt : giveBack(screen.prompt, errand?.later ?? [])
  return { ...screen, prompt, errand: undefined }
}

function giveBack(prompt: Prompt, texts: readonly string[]): Prompt {
  if (texts.length === 0) return prompt
  const written = promptText(prompt)
  return writePrompt(prompt, [...texts, ...(written === '' ? [] : [written])].join('\n'))
}
