import { cutStart, cutText } from '../files/lines.ts'
import type { ToolResult } from '../tool.ts'

const nameLength = 200
const problemsShown = 5
const failureLength = 10_000

/** A name or a value that a model sent, as errors repeat it: its first 200 characters. */
export function shortName(name: string): string {
  return name.length > nameLength ? `${cutText(name, nameLength)}…` : name
}

/** The first five of them, each short, and how many more there are. */
export function few(all: readonly string[], separator: string): string {
  const shown = all.slice(0, problemsShown).map(shortName).join(separator)
  return all.length > problemsShown ? `${shown} and ${all.length - problemsShown} more` : shown
}

/** A failure of at most about 10,000 characters a text: what is longer loses its middle. Other results stay as they are. */
export function shortFailure(result: ToolResult): ToolResult {
  if (!result.isError) return result
  const content = result.content.map((block) =>
    block.type === 'text' && block.text.length > failureLength
      ? { ...block, text: withoutMiddle(block.text) }
      : block,
  )
  return { ...result, content }
}

function withoutMiddle(text: string): string {
  const head = cutText(text, failureLength / 2)
  const tail = cutStart(text, failureLength / 2)
  return `${head}\n[… ${text.length - head.length - tail.length} characters left out …]\n${tail}`
}
