/** Matches `@path`, `@"a path"`, `@'a path'`, `@a\ path`, but not after another character, as in an e-mail address. */
const mention = /(?<=^|\s)@(?:"([^"\n]+)"|'([^'\n]+)'|((?:\\\s|\S)+))/g

/** Returns the words of a prompt that follow an at sign, without quotes, punctuation after them, and duplicates. */
export function mentions(prompt: string): readonly string[] {
  const words = [...prompt.matchAll(mention)].map(([, double, single, word = '']) => {
    return double ?? single ?? word.replace(/[,.;:!?)]+$/, '').replace(/\\(\s)/g, '$1')
  })
  return [...new Set(words)].filter((word) => word !== '')
}

/** Writes a path as a mention that `mentions` reads, with quotes where it needs them; `undefined` for one that no mention can hold. */
export function mentionOf(path: string): string | undefined {
  if (path === '' || path.includes('\n')) return undefined
  if (!/[\s"']|[,.;:!?)\\]$/.test(path)) return `@${path}`
  if (!path.includes('"')) return `@"${path}"`
  return path.includes("'") ? undefined : `@'${path}'`
}
