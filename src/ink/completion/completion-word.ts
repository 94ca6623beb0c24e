/** The word before the cursor that a list can complete. */
export type CompletionWord =
  | { readonly type: 'command'; readonly start: number; readonly end: number; readonly query: string }
  | {
      readonly type: 'argument'
      /** The name of the command, without its slash. `@agent` and `@session` for names in a message. */
      readonly command: string
      readonly start: number
      readonly end: number
      readonly query: string
    }
  | { readonly type: 'file'; readonly start: number; readonly end: number; readonly query: string }

/** Characters before the cursor that are searched for the start of a mention, so that a key costs the same in a long draft. */
const longestWord = 400

/**
 * Finds the word at the cursor: a command and its argument at the start of the text, or `@` and the path or name behind it. `start` and `end` are
 * the part of the text that a choice replaces. Returns `undefined` inside of any other word.
 */
export function completionWord(text: string, cursor: number): CompletionWord | undefined {
  // A shell reads no mentions.
  if (text.startsWith('!')) return undefined
  if (text.startsWith('/') && cursor > 0 && cursor <= longestWord) {
    const command = commandWord(text, cursor)
    if (command !== undefined) return command
  }
  return mentionWord(text, cursor)
}

function commandWord(text: string, cursor: number): CompletionWord | undefined {
  if (cursor !== text.length) return undefined
  const [whole, name = '', gap = '', query = ''] = /^\/([\p{L}\p{N}_:-]*)([^\S\n]*)(.*)$/u.exec(text) ?? []
  if (whole === undefined) return undefined
  if (gap === '') return query === '' ? { type: 'command', start: 0, end: cursor, query: name } : undefined
  return { type: 'argument', command: name, start: 1 + name.length + gap.length, end: cursor, query }
}

// A quote that is still open, or a word in which a backslash stands before each space.
const mention = /(?:^|\s)@(?:"([^"\n]*)|'([^'\n]*)|((?:\\\s|[^\s"'])*))$/

function mentionWord(text: string, cursor: number): CompletionWord | undefined {
  const from = Math.max(0, cursor - longestWord)
  const before = text.slice(from, cursor)
  const found = before.includes('@') ? mention.exec(before) : null
  if (found === null) return undefined
  const [, double, single, bare = ''] = found
  const quote = double !== undefined ? '"' : single !== undefined ? "'" : ''
  const at = from + found.index + found[0].indexOf('@')
  // Inside of a word that goes on, a choice would split it.
  const isClosed = quote !== '' && text[cursor] === quote
  const rest = text[cursor + (isClosed ? 1 : 0)]
  if (rest !== undefined && !/\s/.test(rest)) return undefined
  const query = double ?? single ?? bare.replace(/\\(\s)/g, '$1')
  const [kinded, kind] = quote === '' ? (/^(agent|session):/.exec(query) ?? []) : []
  if (kinded !== undefined) {
    const start = at + 1 + kinded.length
    return { type: 'argument', command: `@${kind}`, start, end: cursor, query: query.slice(kinded.length) }
  }
  return { type: 'file', start: at, end: isClosed ? cursor + 1 : cursor, query }
}
