import {
  type DecodedText,
  decodeDamaged,
  decodeText,
  type Encoding,
  isGuessed,
} from '../../../builtin/file/encoding.ts'
import { PipeError, unreachable } from '../../../error.ts'
import { mediaType } from '../../../media/media-type.ts'
import type { ContentBlock } from '../../../message.ts'
import { attachFile, toContent } from './attachment.ts'
import { binaryType } from './file-type.ts'
import type { Input } from './spool.ts'

/** Returns input that serves as the prompt. Throws `input` if it cannot be a prompt. */
export function promptText(input: Input): string {
  if (input.type === 'empty') return ''
  if (input.type === 'whole') {
    const content = toContent(input.bytes, 'stdin')
    if (content.type === 'text') return content.text
    throw new PipeError(
      'input',
      'stdin is an image or document: say what to do with it, as in … | pipe "describe this"',
    )
  }
  throw new PipeError(
    'input',
    mediaType(input.head) === undefined && readEnds(input) === undefined
      ? `stdin is binary (${binaryType(input.head)}): say what to do with it, as in … | pipe "what is this?"`
      : `a prompt of ${input.size} bytes is too long: give it as data, and add a prompt`,
  )
}

/** Turns input into blocks. `frame` wraps its text and adds the name of its source. */
export function inputBlocks(
  input: Input,
  {
    cwd,
    name,
    frame,
  }: { readonly cwd: string; readonly name: string; readonly frame: (text: string) => string },
): readonly ContentBlock[] {
  const text = (words: string): ContentBlock => ({ type: 'text', text: words })
  switch (input.type) {
    case 'empty':
      return [text(`Nothing was sent on ${name}: it was empty.`)]
    case 'whole': {
      const content = toContent(input.bytes, name)
      return [content.type === 'text' ? text(frame(content.text)) : content]
    }
    case 'spilled': {
      const { head, size, path } = input
      if (mediaType(head) !== undefined) return attachFile(path, cwd)
      const ends = readEnds(input)
      if (ends === undefined) {
        const type = binaryType(head)
        return [
          text(`What came in on ${name} is binary (${type}, ${size} bytes) and stands in the file ${path}.`),
        ]
      }
      const gap = `\n[… ${size} bytes in all; the whole is in ${path}: read slices of it from there …]\n`
      return [text(frame(ends.head + gap + ends.tail))]
    }
    default:
      return unreachable(input)
  }
}

interface Ends {
  readonly head: string
  readonly tail: string
}

/** Decodes the head and the tail as text. `undefined` for binary data. */
function readEnds({ head, tail, size }: Extract<Input, { readonly type: 'spilled' }>): Ends | undefined {
  const begun = size > head.length ? decodeBeginning(head) : decodeText(head)
  if (begun === undefined) {
    const damaged = decodeDamaged(head)
    return damaged === undefined ? undefined : { head: damaged, tail: new TextDecoder().decode(tail) }
  }
  const { encoding, text } = begun
  const isOdd = encoding.startsWith('UTF-16') && (size - tail.length) % 2 === 1
  const ending = new TextDecoder(labelOf(encoding)).decode(isOdd ? tail.subarray(1) : tail)
  return { head: text.replace(/^\ufeff/, ''), tail: ending }
}

/** Decodes the head, which may end inside a UTF-8 character or a UTF-16 surrogate pair. */
function decodeBeginning(head: Uint8Array): DecodedText | undefined {
  const begun = decodeText(withoutCutEnd(head)) ?? decodeText(head)
  // Half of a character at the end hides an encoding of two bytes.
  const even =
    begun === undefined || begun.encoding.startsWith('UTF') ? undefined : decodeText(head.subarray(0, -1))
  if (even !== undefined && isGuessed(even.encoding)) return even
  if (begun !== undefined) return begun
  const shorter = decodeText(head.subarray(0, -2))
  return shorter?.encoding.startsWith('UTF-16') === true ? shorter : undefined
}

/** Encoding Standard names; its latin1 is Windows-1252. */
function labelOf(encoding: Encoding): string {
  return encoding === 'Latin-1' || encoding === 'Windows-1252' ? 'latin1' : encoding
}

/** Removes an incomplete UTF-8 character from the end. */
function withoutCutEnd(bytes: Uint8Array): Uint8Array {
  for (const back of [1, 2, 3]) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte >= 0xc0) return lengthOf(byte) > back ? bytes.subarray(0, -back) : bytes
    if (byte < 0x80) return bytes
  }
  return bytes
}

/** Length in bytes of the UTF-8 character that begins with this byte. */
function lengthOf(first: number): number {
  if (first < 0xc0) return 1
  if (first < 0xe0) return 2
  return first < 0xf0 ? 3 : 4
}
