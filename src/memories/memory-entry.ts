import { omitUndefined } from '../omit-undefined.ts'

/** A memory as its item in a file holds it. */
export interface MemoryEntry {
  readonly text: string
  /** Absent if the item was written by hand. */
  readonly id?: string
  readonly date?: string
  readonly session?: string
}

/** The comment behind an item: its id, the day, the session. */
const facts = /(?:^|[ \t])<!-- ?([0-9a-f]{8})(?:, ?(\d{4}-\d\d-\d\d))?(?:, ?([\w-][\w.-]{0,63}))? ?-->[ \t]*$/

/** Writes an item. Its text cannot end it: further lines are indented, and marks of comments are escaped. */
export function encodeMemory({ text, id, date, session }: MemoryEntry): readonly string[] {
  const [first = '', ...others] = escapeComments(text).split('\n')
  const comment = `<!-- ${[id, date, session].filter((fact) => fact !== undefined).join(', ')} -->`
  if (others.length === 0) return [`- ${first} ${comment}`]
  // On a line of its own, so that it closes no code block's last line.
  const lines = [...others, comment].map((line) => (line === '' ? '' : `  ${line}`))
  return [`- ${first}`, ...lines]
}

/** Reads an item, given its lines without the marker and the indentation. */
export function decodeEntry(lines: readonly string[]): MemoryEntry {
  const at = lines.findLastIndex((line) => facts.test(line))
  const [comment = '', id, date, session] = facts.exec(lines[at] ?? '') ?? []
  const kept = lines.flatMap((line, i) => {
    const rest = i === at ? line.slice(0, line.length - comment.length) : line
    return i === at && rest.trim() === '' ? [] : [rest.trimEnd()]
  })
  return { text: unescapeComments(kept.join('\n').trim()), ...omitUndefined({ id, date, session }) }
}

/** Adds a backslash to marks that begin or end a comment. Markdown reads it as an escape, so it shows the mark as it was. */
function escapeComments(text: string): string {
  return text.replace(/<(\\*)!--/g, '<\\$1!--').replace(/--(\\*)>/g, '--\\$1>')
}

function unescapeComments(text: string): string {
  return text.replace(/<\\(\\*)!--/g, '<$1!--').replace(/--\\(\\*)>/g, '--$1>')
}
