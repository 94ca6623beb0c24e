import type { ToolCallContent, ToolCallLocation } from '@agentclientprotocol/sdk'

/** A part of a file that a diff changes. */
interface Hunk {
  /** The line in the new file where it begins, counted from 1. */
  readonly line: number
  readonly old: string[]
  readonly new: string[]
}

/** Shows a unified diff of one file as editors do: the text of each hunk before and after. `path` is absolute. */
export function diffContent(path: string, diff: string): ToolCallContent[] {
  return hunksOf(diff).map((hunk) => ({
    type: 'diff',
    path,
    oldText: hunk.old.length === 0 ? null : hunk.old.join('\n'),
    newText: hunk.new.join('\n'),
  }))
}

/** The places that a unified diff changes. */
export function diffLocations(path: string, diff: string): ToolCallLocation[] {
  return hunksOf(diff).map(({ line }) => ({ path, line }))
}

function hunksOf(diff: string): readonly Hunk[] {
  const hunks: Hunk[] = []
  for (const line of diff.split('\n')) {
    const [, start] = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line) ?? []
    if (start !== undefined) hunks.push({ line: Math.max(Number(start), 1), old: [], new: [] })
    else addLine(hunks.at(-1), line)
  }
  return hunks
}

function addLine(hunk: Hunk | undefined, line: string): void {
  if (hunk === undefined) return
  const text = line.slice(1)
  if (line.startsWith(' ') || line.startsWith('-')) hunk.old.push(text)
  if (line.startsWith(' ') || line.startsWith('+')) hunk.new.push(text)
}
