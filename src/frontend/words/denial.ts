import { oneLine } from '../../characters/one-line.ts'
import { isJsonObject, type JsonValue } from '../../json-value.ts'

/** Characters of a comment or a reason that are shown. */
const longest = 200

/** A call that was not carried out because somebody or a rule did not allow it, in words for the user. */
export interface Denial {
  /** A few words. */
  readonly fact: string
  /** More about it, if there is more. */
  readonly words?: string
}

const saidNo = 'the user said no'

/** Facts about a call that has ended. */
interface EndedCall {
  readonly isError: boolean
  readonly details?: JsonValue | undefined
  /** Its result, as the model got it. */
  readonly text: string
}

/** Returns the words for a call that was not allowed or not answered; `undefined` for any other call. */
export function denialOf({ isError, details, text }: EndedCall): Denial | undefined {
  if (!isError) return undefined
  // The words of a question of the model; a command's own words come with details.
  if (details === undefined && text.startsWith('the user did not answer'))
    return { fact: 'you did not answer' }
  if (!isJsonObject(details) || details['permission'] !== 'denied') return undefined
  const reason = oneLine(String(details['reason'] ?? ''), longest)
  if (reason.startsWith(saidNo)) {
    const comment = reason.slice(saidNo.length).replace(/^: /, '')
    return comment === '' ? { fact: 'you said no' } : { fact: 'you said no', words: `“${comment}”` }
  }
  if (reason === 'the question was not answered') return { fact: 'you did not answer' }
  return { fact: 'not allowed', ...(reason !== '' && { words: reason }) }
}
