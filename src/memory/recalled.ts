import { oneLine } from '../characters/one-line.ts'
import { minuteOf } from '../characters/shown-time.ts'
import type { RecallExcerpt, RecalledSession, RecallLack, RecallResult } from './recall.ts'

/** Shows a part of a text that may be hostile; `isMatch` for a word that was searched. */
export type Show = (text: string, isMatch: boolean) => string

const asIs: Show = (text) => text
/** Characters of a title. */
const titleLength = 80

/** Describes what a search found, for a user: each session with its best excerpt, and how to continue one. */
export function describeRecall({ sessions, total }: RecallResult, words: string, show: Show = asIs): string {
  const [first] = sessions
  if (first === undefined) return nothingFound(words)
  const more = total > sessions.length ? [`the best ${sessions.length} of ${total} sessions`] : []
  const message = first.excerpt === undefined ? '' : ` or pipe --fork ${reference(first, first.excerpt)}`
  return [
    ...sessions.map((session) => `${describeRecalled(session, show)}\n`),
    [...more, `continue one with pipe -r ${first.id}${message}`].join('; '),
  ].join('\n')
}

export function nothingFound(words: string): string {
  return `no session holds ${JSON.stringify(words)}`
}

/** Says why meaning did not count. */
export function byWordsAlone({ reason }: RecallLack): string {
  return `ranked by words alone: ${reason}`
}

/** Describes one session in two to three lines: when and where, its title, the excerpt with the message it is from. */
export function describeRecalled(session: RecalledSession, show: Show = asIs): string {
  const { id, updatedAt, cwd, title, opening = '', excerpt } = session
  const where = cwd === undefined ? '' : `  ${show(cwd, false)}`
  const about = oneLine(title ?? opening, titleLength)
  return [
    `${id}  ${minuteOf(updatedAt)}${where}`,
    ...(about === '' ? [] : [`  ${show(about, false)}`]),
    ...(excerpt === undefined ? [] : [`  ${describeExcerpt(excerpt, show)}`]),
  ].join('\n')
}

/** The model reads these lines, too, so no one is "you". */
const speakers: Readonly<Record<RecallExcerpt['type'], string>> = {
  user: 'user',
  assistant: 'model',
  tool_result: 'output',
}

function describeExcerpt({ messageId, type, text, matches }: RecallExcerpt, show: Show): string {
  let line = ''
  let at = 0
  for (const [start, end] of matches) {
    line += show(text.slice(at, start), false) + show(text.slice(start, end), true)
    at = end
  }
  return `${messageId.slice(0, 8)} ${speakers[type]}: ${line}${show(text.slice(at), false)}`
}

/** Names a message as `--fork` takes it. */
function reference({ id }: RecalledSession, { messageId }: RecallExcerpt): string {
  return `${id}@${messageId.slice(0, 8)}`
}
