import { isJsonObject, type JsonValue } from './json-value.ts'
import type { AssistantMessage, ContentBlock, UserMessage } from './message.ts'
import { present } from './present.ts'
import { documentText } from './sight.ts'
import type { ToolResult } from './tool.ts'

/**
 * Unicode's tag characters: letters that no screen shows and every model reads. All of them: the flags of England, Scotland and
 * Wales, which end in some, become black ones, because a spelling that is let through is one to give orders in. Half of one as
 * well, which the next text might make whole.
 */
const tags = String.raw`\u{e0000}-\u{e007f}\udb40`
/** They say which form the character before has, and each can stand for a byte: one that varies nothing may be hidden text. */
const selectors = String.raw`\ufe00-\ufe0f\u{e0100}-\u{e01ef}`
const invisible = String.raw`\xad\u034f\u200b-\u200d\u2060\ufeff`
const hidden = new RegExp(
  `[${tags}]|[${selectors}](?<=(?:^|[${selectors}${invisible}])[${tags}]*[${selectors}])`,
  'gu',
)
/** No other text holds any of it: it is not searched. */
const suspect = new RegExp(String.raw`\udb40|^[\ufe00-\ufe0f]|[${invisible}\ufe00-\ufe0f][\ufe00-\ufe0f]`)

/**
 * Text without Unicode's tag characters (U+E0000 to U+E007F), and without variation selectors that vary nothing: behind another, or
 * behind nothing that is seen.
 */
export function withoutTags(text: string): string {
  return suspect.test(text) ? text.replace(hidden, '') : text
}

/**
 * What a tool gives as a model may get it: no tag characters, and a last line that says how many there were, for people in
 * `details.invisible_removed`. The same object where there were none.
 */
export function resultWithoutTags(result: ToolResult): ToolResult {
  const { content, removed } = clean(result.content)
  if (removed === 0) return result
  const { details = {} } = result
  const told = isJsonObject(details) ? { ...details, invisible_removed: removed } : details
  return { ...result, content, details: told }
}

/** The same for what a person sends, or has the program send: they are told in `metadata.invisible_removed`. */
export function messageWithoutTags(message: UserMessage): UserMessage {
  const { content, removed } = clean(message.content)
  if (removed === 0) return message
  return { ...message, content, metadata: { ...message.metadata, invisible_removed: String(removed) } }
}

/**
 * What a model said, as it goes back to one: no tag characters in its words, and no words that were nothing else. What a server has
 * signed or keeps for itself stays as it is, and so do the arguments of calls. The same object where there were none.
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

/** What a model says in a block that no signature covers. */
function wordsOf(block: ContentBlock): string {
  if (block.type === 'text') return block.text
  const isFree =
    block.type === 'thinking' && block.signature === undefined && block.providerData === undefined
  return isFree ? block.thinking : ''
}

/** What a person is told by the details of a result or the metadata of a message; `undefined` where nothing was removed. */
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
  return { ...block, ...present({ data, name }) }
}

/** What remains, and in a line of its own that it is not all. */
function noted(text: string, count: number): string {
  const kept = withoutTags(text)
  return `${kept}${kept === '' || kept.endsWith('\n') ? '' : '\n'}(${noteOf(count)})`
}
