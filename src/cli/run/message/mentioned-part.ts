import { numberedPage } from '../../../builtin/read/numbered-page.ts'
import { PipeError } from '../../../error.ts'
import { readMentions } from '../../../frontend/mentions.ts'
import { counted } from '../../../frontend/words/amount.ts'
import type { ContentBlock } from '../../../message.ts'
import { type FilePart, parseFilePart } from '../../../wire/reference.ts'
import { readAttachedText } from './attachment.ts'
import { findPath, mentionedPath } from './mentioned-path.ts'
import { findSection, headingTexts } from './section.ts'

/** A part of a file that a prompt mentions. */
export interface MentionedPart {
  /** The path of the file. */
  readonly path: string
  /** The mention, such as `a.ts:10-40`. */
  readonly name: string
  readonly part: FilePart
}

/** Returns the parts of files that `@a.ts:10-40` and `@plan.md#goals` name. A file that has such a name itself is none. */
export function mentionedParts(prompt: string, cwd: string, home?: string): readonly MentionedPart[] {
  const base = { cwd, home }
  return readMentions(prompt).flatMap((mention) => {
    if (mentionedPath(mention, base) !== undefined) return []
    for (const name of [mention.word, ...mention.readings]) {
      const part = parseFilePart(name)
      const found = part === undefined ? undefined : findPath(part.path, base)
      if (part !== undefined && found?.stat.isFile() === true) return [{ path: found.path, name, part }]
    }
    return []
  })
}

/** Reads a part of a file, with line numbers as the read tool shows them. Throws `input` if the file has no such lines or heading. */
export function attachPart({ path, name, part }: MentionedPart, cwd: string): ContentBlock {
  const text = readAttachedText(path, cwd)
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  const { first, last } = 'heading' in part ? sectionOf(lines, part.heading, name) : part
  const total = lines.length
  if (first > total)
    throw new PipeError('input', `cannot attach ${name}: ${path} has ${counted(total, 'line')}`)
  const range = { lines: lines.slice(first - 1, last), more: last < total, total }
  const frame = `<file path=${JSON.stringify(path)} lines="${first}-${Math.min(last, total)}">`
  return { type: 'text', text: `${frame}\n${numberedPage(range, first, [])}\n</file>` }
}

/** Headings named in an error. */
const mostNamed = 8

function sectionOf(lines: readonly string[], heading: string, name: string) {
  const section = findSection(lines, heading)
  if (section !== undefined) return section
  const known = headingTexts(lines)
  const more = known.length > mostNamed ? ', …' : ''
  const has = known.length === 0 ? 'it has none' : `it has ${known.slice(0, mostNamed).join(', ')}${more}`
  throw new PipeError(
    'input',
    `cannot attach ${name}: there is no heading ${JSON.stringify(heading)}; ${has}`,
  )
}
