import type { JsonValue } from '../json-value.ts'

/** JSON in an answer. */
export interface AnswerJson {
  /** As the model wrote it, with all digits of its numbers. */
  readonly text: string
  readonly value: JsonValue
}

/** Finds the JSON of an answer: all of it, or its last fenced block. Returns why there is none as a string. */
export function readAnswerJson(answer: string): AnswerJson | string {
  const whole = parse(answer)
  if (typeof whole !== 'string') return whole
  const block = lastBlock(answer)
  return block === undefined ? whole : parse(block.text)
}

/** A fenced block of an answer. */
export interface FencedBlock {
  /** The first word behind the fence, in small letters. Empty if there is none. */
  readonly language: string
  /** Ends with a newline, unless it is empty. */
  readonly text: string
}

/** Returns the last fenced block of an answer, of this language if one is given. A block that does not end is none. */
export function lastBlock(answer: string, language?: string): FencedBlock | undefined {
  let found: FencedBlock | undefined
  let open: { readonly fence: string; readonly indent: number; readonly language: string } | undefined
  let lines: string[] = []
  for (const line of answer.split(/\r?\n/)) {
    if (open === undefined) {
      const [, indent = '', fence, info = ''] = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})(.*)$/.exec(line) ?? []
      if (fence === undefined) continue
      open = { fence, indent: indent.length, language: wordOf(info) }
      lines = []
    } else if (closes(line, open.fence)) {
      if (language === undefined || open.language === language.toLowerCase())
        found = { language: open.language, text: lines.map((text) => `${text}\n`).join('') }
      open = undefined
    } else lines.push(line.replace(new RegExp(`^ {0,${open.indent}}`), ''))
  }
  return found
}

function closes(line: string, fence: string): boolean {
  const end = line.trim()
  return end.length >= fence.length && end === (fence[0] ?? '').repeat(end.length)
}

function wordOf(info: string): string {
  return (
    info
      .trim()
      .split(/[\s,{]/)[0]
      ?.toLowerCase() ?? ''
  )
}

function parse(text: string): AnswerJson | string {
  const trimmed = text.trim()
  try {
    return { text: trimmed, value: JSON.parse(trimmed) }
  } catch (error) {
    return error instanceof Error ? error.message : 'it is not JSON'
  }
}
