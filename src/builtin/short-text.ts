import { cutStart, cutText } from '../characters/cut.ts'
import { enumerate } from '../characters/enumerate.ts'
import type { ToolResult } from '../tool.ts'

const nameLength = 200
const problemsShown = 5
const failureLength = 10_000

/** A name or value from the model, as errors quote it: cut to 200 characters. */
export function shortName(name: string): string {
  return name.length > nameLength ? `${cutText(name, nameLength)}…` : name
}

/** The first five items, each cut, and how many more there are. */
export function few(all: readonly string[], separator: string): string {
  return enumerate(all.map(shortName), problemsShown, separator)
}

/** Cuts the middle out of a failure's texts above 10,000 characters. Other results are unchanged. */
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
