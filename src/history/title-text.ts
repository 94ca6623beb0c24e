import { withoutTags } from '../characters/tag-characters.ts'
import { contextLength, type Message, spokenText } from '../message.ts'
import type { Redact } from '../redaction/redaction.ts'

/** Maximum characters of a title that pipe chooses. */
const chosenLength = 60
/** Maximum characters of a title that the user chooses. */
export const namedLength = 120
/** Characters of a text that are read for a title. */
const readLength = 2_000

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
const control = /[\0-\x1f\x7f-\x9f]+/g
/** Direction controls, a blank without width, and half a surrogate pair. */
const deceptive = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]/gu

/** Makes a title: one line without invisible characters, cut at the end of a word. Empty if the text has none. */
export function cleanTitle(text: string, length = chosenLength): string {
  const read = withoutTags(text.trimStart().slice(0, readLength))
  const line = read.replace(deceptive, '').replace(control, ' ').replace(/\s+/g, ' ').trim()
  const characters = Array.from(line)
  if (characters.length <= length) return line
  const room = characters.slice(0, length).join('')
  const space = room.lastIndexOf(' ')
  const cut = space > room.length / 2 ? room.slice(0, space) : characters.slice(0, length - 1).join('')
  // A joiner needs the character after it.
  return `${cut.replace(/[\s\u200d]+$/, '')}…`
}

/** Makes a title of a user's message; `undefined` if it has no words. Redacts before it cuts. */
export function firstWords(message: Message, redact: Redact): string | undefined {
  const text = spokenText(message)
  if (text.trim() !== '') return titleOf(text, redact) || undefined
  const own = message.content.slice(contextLength(message))
  const media = own.map((block) => (block.type === 'document' && block.name) || block.type)
  return titleOf(media.join(', '), redact) || undefined
}

/** Makes a title of the first words of a text. Redacts before it cuts, as a part of a secret looks like none. */
export function titleOf(text: string, redact: Redact): string {
  return cleanTitle(redact(text.trimStart().slice(0, readLength)))
}
