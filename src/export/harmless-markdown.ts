import { fenced } from './fence.ts'
import {
  childrenOf,
  isList,
  isSafeLink,
  markdownTokens,
  otherReference,
  type Token,
  targetOf,
  unparsed,
} from './markdown-tokens.ts'

/**
 * Keeps Markdown as it is, except for what acts where it is shown: escapes HTML and links to anything but pages and mailboxes, makes
 * images links, and closes a fence that was left open.
 */
export function harmlessMarkdown(text: string): string {
  const tokens = markdownTokens(text)
  if (tokens === undefined) return fenced(text, 'text')
  return tokens.map(disarmed).join('').trimEnd() + missingFence(tokens.at(-1))
}

function disarmed(token: Token): string {
  if (token.type === 'def') return isHarmlessLink(token) ? token.raw : escaped(token.raw)
  if (isList(token)) return token.items.map(disarmed).join('')
  const parts = [...leaves(token)]
  if (!parts.some(acts)) return token.raw
  return replaced(token.raw, parts) ?? escaped(token.raw)
}

/** Yields the tokens that hold no others, in order, and those that act as a whole. */
function* leaves(token: Token): Generator<Token> {
  const children = acts(token) ? [] : childrenOf(token)
  if (children.length === 0) yield token
  for (const child of children) yield* leaves(child)
}

function acts(token: Token): boolean {
  switch (token.type) {
    case 'html':
    case 'image':
    case unparsed:
      return true
    case 'text':
      return childrenOf(token).length === 0 && activeText.test(token.raw)
    case 'link':
      return !isHarmlessLink(token)
    default:
      return false
  }
}

function isHarmlessLink(token: Token): boolean {
  const target = targetOf(token)
  const title = 'title' in token ? String(token.title ?? '') : ''
  return isSafeLink(target) && !otherReference.test(`${target} ${title}`)
}

const activeText = new RegExp(`<|${otherReference.source}`)
const allActiveText = new RegExp(activeText, 'g')

/** Escapes the acting parts of a text. Returns `undefined` if the parts do not stand in it word for word. */
function replaced(raw: string, parts: readonly Token[]): string | undefined {
  let [written, at] = ['', 0]
  for (const part of parts) {
    const found = raw.indexOf(part.raw, at)
    if (found < 0) return undefined
    written += raw.slice(at, found) + (acts(part) ? harmless(part) : part.raw)
    at = found + part.raw.length
  }
  return written + raw.slice(at)
}

function harmless(token: Token): string {
  if (token.type === 'text') return token.raw.replace(allActiveText, '\\$&')
  return isPlainImage(token) ? `\\${token.raw}` : escaped(token.raw)
}

/** Whether an image is a link without other markup once its first character is escaped. */
function isPlainImage(token: Token): boolean {
  if (token.type !== 'image' || !isHarmlessLink(token)) return false
  const [, words] = /^!\[([^\\<[\]!`&]*)\][[(]/.exec(token.raw) ?? []
  return words !== undefined
}

const allMarkup = new RegExp(`[\\\\<[\\]!\`*_]|${otherReference.source}`, 'g')

function escaped(raw: string): string {
  return raw.replace(allMarkup, '\\$&')
}

/** Returns the end of a code block that the text leaves open. */
function missingFence(last: Token | undefined): string {
  const [, fence] = (last?.type === 'code' && /^ {0,3}(`{3,}|~{3,})/.exec(last.raw)) || []
  if (last === undefined || fence === undefined) return ''
  const [ending = ''] = last.raw.trimEnd().split('\n').slice(-1)
  const isClosed = last.raw.trimEnd().includes('\n') && ending.trim().startsWith(fence)
  return isClosed ? '' : `\n${fence}`
}
