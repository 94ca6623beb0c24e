import { withoutTags } from '../characters/tag-characters.ts'
import { PipeError } from '../error.ts'
import type { Redact } from '../redaction/redaction.ts'

/** Most characters of a memory. */
export const mostCharacters = 2_000

// Created on call, as Unicode properties take a millisecond. The group captures what emoji and some scripts need.
const unseen = () =>
  /(?<=[^\p{ASCII}\p{C}\p{Z}\p{DI}])(\p{VS}?(?:\u200c|\u200d)|\p{VS})|[^\n\P{Cc}]|[\p{Cf}\p{Cs}\p{Co}\p{DI}\u2800]/gu

/**
 * Returns a text as it is kept: without invisible and control characters, secrets, and blanks around it. Throws `invalid` if it has no
 * words, or more than 2,000 characters.
 */
export function cleanText(text: string, redact: Redact): string {
  const seen = withoutTags(text.replace(/\r\n?|[\v\f\x85\u2028\u2029]/g, '\n').replaceAll('\t', '    '))
    .replace(unseen(), (_, needed?: string) => needed ?? '')
    .replace(/[^\S\n]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  const kept = redact(seen)
  if (!/[\p{L}\p{N}]/u.test(kept)) throw new PipeError('invalid', 'a memory needs words')
  const length = Array.from(kept).length
  if (length > mostCharacters)
    throw new PipeError(
      'invalid',
      `a memory has at most ${mostCharacters.toLocaleString('en-US')} characters; this one has ${length.toLocaleString('en-US')}`,
    )
  return kept
}
