import {
  childrenOf,
  isList,
  isSafeLink,
  markdownTokens,
  otherReference,
  type Token,
  targetOf,
  unparsed,
} from '../frontend/markdown-tokens.ts'
import { fenced } from './fence.ts'
import { escapeMarkdown } from './markdown-escape.ts'

/**
 * Keeps Markdown as it is, except for what acts where it is shown: escapes HTML and links to anything but pages and mailboxes, makes
 * images links, and closes a fence that was left open.
 */
export function harmlessMarkdown(text: string): string {
  const tokens = markdownTokens(text)
  if (tokens === undefined) return fenced(text, 'text')
  return joined(tokens.map(block)).trimEnd() + missingFence(tokens.at(-1))
}

/** Joins blocks. Each begins a line: the parser drops the newline behind a list. */
function joined(blocks: readonly string[]): string {
  const filled = blocks.filter((text) => text !== '')
  return filled
    .map((text, i) => {
      const isApart = i === 0 || text.startsWith('\n') || filled[i - 1]?.endsWith('\n')
      return isApart ? text : `\n${text}`
    })
    .join('')
}

function block(token: Token): string {
  if (isList(token)) return joined(token.items.map(block))
  const parts = [...inlines(token)]
  if (!parts.some(holdsActing)) return token.raw
  // Apart from the next block: indented code would become a part of the paragraph, and act.
  return replaced(token.raw, parts) ?? `${escaped(token.raw.trimEnd())}\n\n`
}

const containers: readonly string[] = [
  'paragraph',
  'heading',
  'text',
  'blockquote',
  'list',
  'list_item',
  'table',
]

/** Yields the inline tokens of a block in order, and the blocks without any. */
function* inlines(token: Token): Generator<Token> {
  const children = containers.includes(token.type) ? childrenOf(token) : []
  if (children.length === 0) yield token
  for (const child of children) yield* inlines(child)
}

function holdsActing(token: Token): boolean {
  return acts(token) || childrenOf(token).some(holdsActing)
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
    case 'def':
      return !isHarmlessLink(token)
    default:
      return false
  }
}

const activeText = new RegExp(`<|${otherReference.source}`, 'i')

function isHarmlessLink(token: Token): boolean {
  const target = targetOf(token)
  const title = 'title' in token ? String(token.title ?? '') : ''
  return isSafeLink(target) && !otherReference.test(`${target} ${title}`)
}

/**
 * Replaces the inline tokens of a block. Returns `undefined` if they do not stand in it word for word, or are blocks that act. What stands
 * between them, such as the marks of a list, holds none of the characters that act, so that none is taken for another.
 */
function replaced(raw: string, parts: readonly Token[]): string | undefined {
  let [written, at] = ['', 0]
  for (const part of parts) {
    const found = raw.indexOf(part.raw, at)
    if (found < 0 || isActingBlock(part)) return undefined
    written += raw.slice(at, found) + inline(part)
    at = found + part.raw.length
  }
  return written + raw.slice(at)
}

function isActingBlock(token: Token): boolean {
  return acts(token) && (token.type === 'def' || (token.type === 'html' && token['block'] === true))
}

/** Writes an inline token of a block in which something is escaped. */
function inline(token: Token): string {
  if (acts(token) && token.type !== 'text') return isPlainImage(token) ? `\\${token.raw}` : escaped(token.raw)
  switch (token.type) {
    case 'text':
      return escapeMarkdown(token.raw, markupOfText)
    case 'link':
      return token.raw.startsWith('[') ? around(token, 1) : bounded(token.raw)
    case 'strong':
    case 'em':
    case 'del':
      return around(token, (token.raw.length - innerOf(token).length) / 2)
    default:
      return token.raw
  }
}

/** Writes a token that begins with marks of this length around others. */
function around(token: Token, length: number): string {
  const { raw } = token
  const inner = innerOf(token)
  if (!raw.startsWith(inner, length)) return escaped(raw)
  return raw.slice(0, length) + childrenOf(token).map(inline).join('') + raw.slice(length + inner.length)
}

function innerOf(token: Token): string {
  return childrenOf(token)
    .map(({ raw }) => raw)
    .join('')
}

/** Writes an address so that it ends where it did: without brackets it goes on up to a blank or `<`, over escapes too. */
function bounded(address: string): string {
  if (address.startsWith('<')) return address
  return /^https?:[^\s<>]*$/i.test(address) ? `<${address}>` : escaped(address)
}

/** Whether an image is a link without other markup once its first character is escaped. */
function isPlainImage(token: Token): boolean {
  return token.type === 'image' && isHarmlessLink(token) && /^!\[[^\\<[\]!`&]*\][[(]/.test(token.raw)
}

/** Includes brackets and backticks, which may pair anew once what stands between them is escaped. */
const markupOfText = new RegExp(`[\\\\<[\\]\`]|${otherReference.source}`, 'gi')

/** Includes what makes an address without brackets a link. */
const markup = new RegExp(`[\\\\<[\\]!\`*_@]|:(?=//)|(?<=www)[.]|${otherReference.source}`, 'gi')

function escaped(raw: string): string {
  return escapeMarkdown(raw, markup)
}

/** Returns the end of a code block that the text leaves open. */
function missingFence(last: Token | undefined): string {
  const [, fence] = (last?.type === 'code' && /^ {0,3}(`{3,}|~{3,})/.exec(last.raw)) || []
  if (last === undefined || fence === undefined) return ''
  const [ending = ''] = last.raw.trimEnd().split('\n').slice(-1)
  const isClosed = last.raw.trimEnd().includes('\n') && ending.trim().startsWith(fence)
  return isClosed ? '' : `\n${fence}`
}
