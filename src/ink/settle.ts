import { flush } from './draft.ts'
import { type Prompt, promptText, writePrompt } from './prompt.ts'
import type { Screen } from './state.ts'

/** A line of the program itself in the transcript. */
export function note(screen: Screen, level: 'info' | 'error', text: string): Screen {
  return { ...screen, finished: [...screen.finished, { type: 'note', level, text }] }
}

/** No turn runs any more: what was being written is final, what was queued goes back to the prompt. */
export function settle(screen: Screen, reason: string | undefined): Screen {
  const flushed = flush(screen)
  const ended = reason === undefined ? flushed : note(flushed, 'info', reason)
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
