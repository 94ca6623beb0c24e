import { isJsonObject, type JsonValue } from '../json-value.ts'
import { documentText } from '../media/media-support.ts'
import type { AssistantMessage, ContentBlock, UserMessage } from '../message.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { ToolResult } from '../tool.ts'

/**
 * Unicode tag characters: invisible on screen but read by models. Includes the tails of the England, Scotland and Wales flags,
 * because any exception could carry orders, and a lone half, which the next text could complete.
 */
const tags = String.raw`\u{e0000}-\u{e007f}\udb40`
/** Selectors of the form of the character before. Each can encode a byte, so one that varies nothing may be hidden text. */
const selectors = String.raw`\ufe00-\ufe0f\u{e0100}-\u{e01ef}`
const invisible = String.raw`\xad\u034f\u200b-\u200d\u2060\ufeff`
const hidden = new RegExp(
  `[${tags}]|[${selectors}](?<=(?:^|[${selectors}${invisible}])[${tags}]*[${selectors}])`,
  'gu',
)
/** Cheap check: a text without a match needs no search. */
const suspect = new RegExp(String.raw`\udb40|^[\ufe00-\ufe0f]|[${invisible}\ufe00-\ufe0f][\ufe00-\ufe0f]`)

/**
 * Removes Unicode tag characters (U+E0000 to U+E007F), and variation selectors that vary nothing: behind another, or behind
 * nothing visible.
 */
export function withoutTags(text: string): string {
  return suspect.test(text) ? text.replace(hidden, '') : text
}

/**
 * Removes tag characters from a tool's result. A last line reports their number to the model, `details.invisible_removed` to
 * users. Returns the same object if there are none.
 */
export function resultWithoutTags(result: ToolResult): ToolResult {
  const { content, removed } = clean(result.content)
  if (removed === 0) return result
  const { details = {} } = result
  const told = isJsonObject(details) ? { ...details, invisible_removed: removed } : details
  return { ...result, content, details: told }
}

/** Does the same for a user message, even one that pipe wrote. The number is in `metadata.invisible_removed`. */
export function messageWithoutTags(message: UserMessage): UserMessage {
  const { content, removed } = clean(message.content)
  if (removed === 0) return message
  return { ...message, content, metadata: { ...message.metadata, invisible_removed: String(removed) } }
}

/**
 * Removes tag characters from a reply's text before it goes back to a model, and blocks left empty. Keeps signed or
 * vendor-specific blocks and arguments of calls. Returns the same object if there are none.
 */
export function replyWithoutTags(message: AssistantMessage): AssistantMessage {
  const removed = message.content.reduce((sum, block) => sum + countIn(wordsOf(block)), 0)
  if (removed === 0) return message
  const content = message.content.flatMap((block): readonly ContentBlock[] => {
    const words = wordsOf(block)
    const kept = withoutTags(words)
    if (kept === words) return [block]
    if (kept === '') return []
    if (block.type === 'thinking') return [{ ...block, thinking: kept }]
    return block.type === 'text' ? [{ ...block, text: kept }] : [block]
  })
  return { ...message, content, metadata: { ...message.metadata, invisible_removed: String(removed) } }
}

/** Returns a block's text if no signature covers it. */
function wordsOf(block: ContentBlock): string {
  if (block.type === 'text') return block.text
  const isFree =
    block.type === 'thinking' && block.signature === undefined && block.providerData === undefined
  return isFree ? block.thinking : ''
}

/** Reports removed characters from a result's details or a message's metadata; `undefined` if there are none. */
export function removalNote(facts: JsonValue | undefined): string | undefined {
  const removed = Number(isJsonObject(facts) ? facts['invisible_removed'] : 0)
  return removed > 0 ? noteOf(removed) : undefined
}

function noteOf(removed: number): string {
  return `${removed} invisible ${removed === 1 ? 'character' : 'characters'} removed`
}

interface Cleaned {
  readonly content: readonly ContentBlock[]
  readonly removed: number
}

function clean(content: readonly ContentBlock[]): Cleaned {
  let removed = 0
  const cleaned = content.map((block) => {
    const count = countTags(block)
    removed += count
    return count === 0 ? block : cleanBlock(block, count)
  })
  return { content: cleaned, removed }
}

function countTags(block: ContentBlock): number {
  if (block.type === 'text') return countIn(block.text)
  return block.type === 'document' ? countIn(documentText(block)) + countIn(block.name) : 0
}

function countIn(text = ''): number {
  return suspect.test(text) ? (text.match(hidden)?.length ?? 0) : 0
}

function cleanBlock(block: ContentBlock, count: number): ContentBlock {
  if (block.type === 'text') return { ...block, text: noted(block.text, count) }
  if (block.type !== 'document') return block
  const text = documentText(block)
  const data = text === undefined ? undefined : Buffer.from(noted(text, count)).toString('base64')
  const name = block.name === undefined ? undefined : withoutTags(block.name)
  return { ...block, ...omitUndefined({ data, name }) }
}

/** Appends a line with the number of removed characters. */
function noted(text: string, count: number): string {
  const kept = withoutTags(text)
  return `${kept}${kept === '' || kept.endsWith('\n') ? '' : '\n'}(${noteOf(count)})`
}
