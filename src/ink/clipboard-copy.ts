import { PipeError } from '../error.ts'
import type { Copied } from '../frontend/slash/slash-arguments.ts'
import { formatBytes, formatLines } from '../frontend/words/amount.ts'
import { printable } from '../terminal/printable.ts'
import type { Store } from './store.ts'

/** Puts text on the clipboard of the terminal. */
export interface Clipboard {
  put(text: string): void
  /** Says why a text of this many bytes may not arrive; `undefined` if nothing speaks against it. */
  doubtOf(bytes: number): string | undefined
  /** Asks the terminal for what is on it; `undefined` if it does not tell. Absent unless the user allows it. */
  read?(): Promise<Uint8Array | undefined>
}

/** Most bytes that are copied: terminals drop longer sequences. */
const mostBytes = 100_000

/** Copies an answer of the model, or its last block of code, and returns a report. Throws `input` if there is none. */
export function copyAnswer(what: Copied, store: Store, clipboard: Clipboard): string {
  const { answers } = store.screen.recent
  const nth = what === 'code' ? 1 : what
  const answer = answers.at(-nth)
  if (answer === undefined) {
    const told =
      answers.length === 0
        ? 'there is no answer yet'
        : `there is no answer ${nth} here: the oldest is /copy ${answers.length}`
    throw new PipeError('input', told)
  }
  const text = printable(what === 'code' ? lastCode(answer) : answer.trim())
  const { length: size } = new TextEncoder().encode(text)
  if (size > mostBytes)
    throw new PipeError(
      'input',
      `too long for the clipboard: ${formatBytes(size)}, and at most ${formatBytes(mostBytes)} fit; /export FILE.md writes the conversation`,
    )
  clipboard.put(text)
  const name =
    what === 'code' ? 'the last code block' : nth === 1 ? 'the last answer' : `answer ${nth} from the end`
  const copied = `Copied ${name}: ${formatLines(text.split('\n').length)}, ${formatBytes(size)}.`
  const doubt = clipboard.doubtOf(size)
  return doubt === undefined ? copied : `${copied} (${doubt}; /export FILE.md writes a file)`
}

/** Returns the last fenced block of a Markdown text. Throws `input` if it has none. */
function lastCode(text: string): string {
  const fences = /^ {0,3}(`{3,}|~{3,})[^\n]*\n([\s\S]*?)(?:^ {0,3}\1[`~]* *$|$(?![\s\S]))/gm
  const code = Array.from(text.matchAll(fences), ([, , body = '']) => body).at(-1)
  if (code === undefined)
    throw new PipeError('input', 'the last answer has no code block; /copy copies all of it')
  return code.replace(/\n$/, '')
}
