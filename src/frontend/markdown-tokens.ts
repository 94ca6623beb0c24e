import { Lexer, type Token, type Tokens } from 'marked'

export type { Token }

/** Longest Markdown that is parsed, in characters. Longer text is shown as it is. */
const mostParsed = 100_000

/** Longest paragraph whose emphasis and links are parsed: the parser takes quadratic time on hostile ones. */
const mostInline = 4_000

/** Names a token of ours: Markdown of a longer paragraph. */
export const unparsed = 'unparsed'

class BoundedLexer extends Lexer {
  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    if (source.length <= mostInline) return super.inlineTokens(source, tokens)
    tokens.push({ type: unparsed, raw: source })
    return tokens
  }
}

/** Parses Markdown. Returns `undefined` for text that is too long, or nested too deep for the parser. */
export function markdownTokens(text: string): readonly Token[] | undefined {
  if (text.length > mostParsed) return undefined
  try {
    return new BoundedLexer().lex(text)
  } catch (error) {
    // The parser recurses, and gives up on some text. It is still shown.
    if (error instanceof Error) return undefined
    throw error
  }
}

/** Returns the tokens directly within a token: of a table, those of its cells. */
export function childrenOf(token: Token): readonly Token[] {
  if (isList(token)) return token.items
  if (isTable(token)) return [token.header, ...token.rows].flat().flatMap(({ tokens }) => tokens)
  return 'tokens' in token && token.tokens !== undefined ? token.tokens : []
}

export function isList(token: Token): token is Tokens.List {
  return token.type === 'list' && 'items' in token
}

export function isTable(token: Token): token is Tokens.Table {
  return token.type === 'table' && 'rows' in token
}

/** Returns the first word behind the fence of a block of code, in small letters. */
export function fencedLanguage(token: Token): string {
  const lang = 'lang' in token && typeof token.lang === 'string' ? token.lang : ''
  return /^[\w+#.-]*/.exec(lang.toLowerCase())?.[0] ?? ''
}

/** Returns the target of a link or image; empty for another token. */
export function targetOf(token: Token): string {
  return 'href' in token && typeof token.href === 'string' ? withoutReferences(token.href) : ''
}

/** The character references of markup. Any other is shown as it is written: it may spell a hidden character. */
const references: ReadonlyMap<string, string> = new Map([
  ['&amp;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&nbsp;', '\u00a0'],
])

/** Matches any other character reference. The parser may have cut the end of a numeric one off. */
export const otherReference = new RegExp(
  `(?!${[...references.keys()].join('|')})&(?:#(?:\\d+|x[\\da-f]+);?|\\w+;)`,
  'i',
)

/** Replaces the character references of markup in a text by their characters. */
export function withoutReferences(text: string): string {
  return text.replace(/&\w+;/g, (reference) => references.get(reference) ?? reference)
}

/** Whether a link leads to a page or a mailbox, and so runs nothing. */
export function isSafeLink(href: string): boolean {
  return /^(?:https?:\/\/|mailto:)[^\s\p{Cc}]+$/iu.test(href)
}
