import { oneLine } from '../../characters/one-line.ts'
import { type FrontMatterField, readList, readScalar, splitFrontMatter } from '../agents/front-matter.ts'

/** The fields of a file by strangers, as far as they can be read. */
export interface LenientFields {
  readonly fields: readonly FrontMatterField[]
  readonly body: string
  /** Name what was left out, each with its line: `3: …`. */
  readonly faults: readonly string[]
}

/** A field's text, and what is wrong with it. */
export interface LenientText {
  readonly text: string
  readonly fault?: string
}

/** Lines that are left out before the file counts as one without fields. */
const mostFaults = 50
/** Characters that are looked at where no line ends the fields. */
const longestFields = 1_000

/** Splits a file into its fields and its body. Leaves out lines that cannot be read; a file without fields is all body. */
export function splitLeniently(content: string): LenientFields {
  const text = content.replace(/^\ufeff/, '').replaceAll('\r\n', '\n')
  // Bodies are long, and fields are read again for each fault.
  const end = /\n---[ \t]*(?:\n|$)/.exec(text)
  const lines = text.slice(0, end === null ? longestFields : end.index + end[0].length).split('\n')
  const faults: string[] = []
  while (faults.length < mostFaults) {
    const split = splitFrontMatter(lines.join('\n'))
    if (split.type === 'ok')
      return {
        fields: split.value.fields,
        body: end === null ? '' : text.slice(end.index + end[0].length),
        faults,
      }
    faults.push(split.reason)
    const line = Number.parseInt(split.reason, 10)
    if (line === 1) break
    lines[line - 1] = ''
  }
  return { fields: [], body: text, faults }
}

/** Reads a field with one text, on several lines too. One that breaks the format is taken as it is written. */
export function readTextLeniently(field: FrontMatterField): LenientText {
  const strict = readScalar(field)
  if (strict.type === 'ok') return { text: strict.value }
  const below = field.below.map(({ text }) => text.trim())
  const first = /^[|>][-+\d]*$/.test(field.text) ? '' : field.text
  const whole = [first, ...below].filter((text) => text !== '').join(' ')
  // A plain text may go on in the lines below it.
  const joined = readScalar({ ...field, text: whole, below: [] })
  if (joined.type === 'ok') return { text: joined.value }
  return { text: whole.replace(/^["']|["']$/g, '').trim(), fault: joined.reason }
}

/** Whether a field says yes. Any value but a no counts as one. */
export function saysYes(field: FrontMatterField): boolean {
  return !/^(false|no|off)$/i.test(readTextLeniently(field).text.trim())
}

/** Shows the values of a field in one line, whatever its form. */
export function showField(field: FrontMatterField): string {
  const list = readList(field)
  const text = list.type === 'ok' ? list.value.join(', ') : readTextLeniently(field).text
  return oneLine(text, 80)
}
