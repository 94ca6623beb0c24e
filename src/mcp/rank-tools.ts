/** Words that say nothing about a tool. */
const idle = new Set([
  'a',
  'an',
  'and',
  'for',
  'from',
  'in',
  'of',
  'on',
  'or',
  'the',
  'to',
  'tool',
  'tools',
  'with',
])

/** A tool by the name that the model calls it, with what it says of itself. */
export interface FindableTool {
  readonly name: string
  readonly tool: { readonly name: string; readonly description: string }
}

/** Finds the tools that words are about, the best first. A tool whose name is among the words comes before all others. */
export function rankTools<One extends FindableTool>(query: string, tools: readonly One[]): readonly One[] {
  const named = new Set(query.split(/[\s,]+/))
  const words = query
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !idle.has(word))
  return tools
    .map((tool) => ({ tool, score: scoreOf(tool, words, named) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ tool }) => tool)
}

/** A word in the name counts more than one in the description, and a whole word more than a part of one. */
function scoreOf({ name, tool }: FindableTool, words: readonly string[], named: ReadonlySet<string>): number {
  if (named.has(name) || named.has(tool.name)) return 1_000
  const inName = partsOf(name)
  const inText = partsOf(tool.description)
  return words.reduce((sum, word) => sum + 3 * weight(word, inName) + weight(word, inText), 0)
}

function weight(word: string, parts: ReadonlySet<string>): number {
  if (parts.has(word)) return 2
  const stem = word.length > 4 ? word.replace(/(?:ies|es|s|ing|ed)$/, '') : word
  return stem.length > 2 && [...parts].some((part) => part.startsWith(stem)) ? 1 : 0
}

/** Splits a text into words in lower case, `createIssue` too. */
function partsOf(text: string): ReadonlySet<string> {
  return new Set(
    text
      .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u),
  )
}
