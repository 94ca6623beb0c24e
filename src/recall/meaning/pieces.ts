import type { SearchableMessage } from '../../memory/recall.ts'
import type { Redact } from '../../redaction/redaction.ts'
import { saidText, withoutMiddle } from '../indexed-text.ts'

/** Characters of a piece, which small models for embeddings can read, and of all pieces of a message. */
const pieceLength = 1_500
const mostSaid = 4 * pieceLength

/** Splits what a message says into the texts that are embedded, redacted. None for output of tools, and for messages without text. */
export function piecesOf(message: SearchableMessage, redact: Redact): readonly string[] {
  return split(withoutMiddle(saidText(message, redact), mostSaid).trim())
}

/** Splits a text between paragraphs, lines or words where one ends in the last third of a piece. */
function split(text: string): readonly string[] {
  const pieces: string[] = []
  let rest = text
  while (rest.length > pieceLength) {
    const end = endOf(rest)
    pieces.push(rest.slice(0, end).trim())
    rest = rest.slice(end).trim()
  }
  return [...pieces, rest].filter((piece) => piece !== '')
}

function endOf(text: string): number {
  const piece = text.slice(0, pieceLength)
  const ends = ['\n\n', '\n', ' '].map((mark) => piece.lastIndexOf(mark))
  const end = ends.find((at) => at > (pieceLength * 2) / 3) ?? pieceLength
  // Keeps both halves of a character together.
  return /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end - 1 : end
}
