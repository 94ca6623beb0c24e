import { cutText } from '../characters/cut.ts'
import { titleOf } from '../history/title-text.ts'
import type { RecalledSession, SearchableMessage, SearchableSession } from '../memory/recall.ts'
import { isLoopMessage, spokenText } from '../message.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { Redact } from '../redaction/redaction.ts'

/** Characters of an opening. */
const openingLength = 200

/** Returns the title and the opening of a session, redacted. */
export function headingOf(
  { title, messages }: SearchableSession,
  redact: Redact,
): Pick<RecalledSession, 'title' | 'opening'> {
  const message = messages.find((one) => wordsOf(one) !== '')
  const first = message === undefined ? '' : wordsOf(message)
  const opening = cutText(redact(first), openingLength)
  return omitUndefined({ title: title && redactTitle(title, first, redact), opening: opening || undefined })
}

function wordsOf(message: SearchableMessage): string {
  return message.type === 'user' && !isLoopMessage(message) ? spokenText(message).trim() : ''
}

/** Makes a title anew that was cut from the first words, as a part of a secret looks like none. */
function redactTitle(title: string, first: string, redact: Redact): string {
  return title === titleOf(first, (text) => text) ? titleOf(first, redact) : redact(title)
}
