/**
 * Matches `@path`, `@"a path"`, `@'a path'`, `@a\ path`, but not after another character, as in an e-mail address. Spaces that keep a line
 * together may be part of a name: macOS writes them into those of screenshots.
 */
const mention =
  /(?<=^|\s)@(?:"((?:[^"\\\n]|\\["\\]|\\(?!["\\\n]))+)"|'([^'\n]+)'|((?:\\[^\S\u00a0\u202f]|[^\s\\]|\\\S|[\u00a0\u202f]|\\$)+))/g

/** A word of a prompt that follows an at sign. */
export interface Mention {
  /** Without quotes, escapes, and punctuation after it. */
  readonly word: string
  /** All that it may mean as a path, the best first: with punctuation, or up to where text without blanks follows. */
  readonly readings: readonly string[]
}

/** Returns the words of a prompt that follow an at sign, without duplicates. */
export function readMentions(prompt: string): readonly Mention[] {
  const found = [...prompt.matchAll(mention)].map(([, double, single, word = '']) =>
    double !== undefined ? quoted(double) : single !== undefined ? exactly(single) : unquoted(word),
  )
  const byWord = new Map(found.map((one) => [one.word, one]))
  return [...byWord.values()].filter(({ word }) => word !== '')
}

/** Returns the words of a prompt that follow an at sign, without quotes, punctuation after them, and duplicates. */
export function mentions(prompt: string): readonly string[] {
  return readMentions(prompt).map(({ word }) => word)
}

function exactly(word: string): Mention {
  return { word, readings: [word] }
}

function quoted(text: string): Mention {
  const word = text.replace(/\\(["\\])/g, '$1')
  return { word, readings: [...new Set([word, text])] }
}

function unquoted(text: string): Mention {
  const bare = (word: string) => word.replace(/(?<!\\)[,.;:!?)]+$/, '')
  const [first = ''] = text.split(/(?<!\\)[\u00a0\u202f]/, 1)
  const whole = [text, bare(text), bare(first)].map(withoutEscapes)
  return { word: withoutEscapes(bare(first)), readings: [...new Set([...whole, ...beginnings(text)])] }
}

/** Removes the backslashes before blanks and before what a shell reads as more than a letter. */
function withoutEscapes(word: string): string {
  return word.replace(/\\([\s()[\]{}'"`&;$!#*?<>|\\~^=,:])/g, '$1')
}

/** Each beginning costs a look at the disk. */
const longestBeginning = 255

/** Returns the beginnings of a word that text without blanks may follow, the longest first: `a.txt` of `a.txtを`. */
function beginnings(word: string): readonly string[] {
  // Scripts that put no blanks between words. Made here, because their classes cost a run without a mention half a millisecond.
  const joins =
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}]/u
  const parts = /[\p{Script=Hiragana}\p{P}\p{Zs}]/u
  const found: string[] = []
  for (let at = Math.min(word.length - 1, longestBeginning); at > 0; at--) {
    const [before = '', after = ''] = [word[at - 1], word[at]]
    if (after <= '\x7f') continue
    if (parts.test(after) || (before <= '\x7f' && joins.test(after)))
      found.push(withoutEscapes(word.slice(0, at)))
  }
  return found
}

/** Reads a mention of what an MCP server holds: `SERVER:URI`. Returns `undefined` for one of another form. */
export function mentionedResource(
  word: string,
): { readonly server: string; readonly uri: string } | undefined {
  const [, server, uri] = /^([^:/]{1,64}):([a-z][a-z\d+.-]*:.+)$/i.exec(word) ?? []
  return server === undefined || uri === undefined ? undefined : { server, uri }
}

/** Writes a path as a mention that `mentions` reads, with quotes where it needs them; `undefined` for one that no mention can hold. */
export function mentionOf(path: string): string | undefined {
  if (path === '' || path.includes('\n')) return undefined
  if (!/[\s"'\\]|[,.;:!?)]$/.test(path)) return `@${path}`
  if (!/["\\]/.test(path)) return `@"${path}"`
  if (!/['\\]/.test(path)) return `@'${path}'`
  return `@"${path.replace(/["\\]/g, '\\$&')}"`
}
