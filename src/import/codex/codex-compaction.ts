import type { JsonObject } from '../../json-value.ts'
import type { ContentBlock } from '../../message.ts'
import { list, object, objects, text } from '../../wire/json-fields.ts'
import type { LeaveOut } from '../left-out.ts'
import { isContext, isReport, readShown } from './content.ts'

/** Replaces the conversation after a compaction. */
export interface Compaction {
  /** Empty if none is readable. */
  readonly summary: string
  /** The user's requests before it, word for word. */
  readonly prompts: readonly ContentBlock[]
  readonly isEncrypted: boolean
}

/** Reads the summary of a compaction, and the prompts that Codex goes on sending beside it. */
export function readCompaction(compaction: JsonObject, leaveOut: LeaveOut): Compaction {
  const history = objects(compaction['replacement_history'])
  const asked = history.filter(({ type, role }) => type === 'message' && role === 'user')
  const written = asked.find(isSummary)
  const summary = text(compaction['message']) || saidIn(written, leaveOut)
  const prompts = asked
    .filter((item) => item !== written)
    .flatMap((item) => readShown(item['content'], leaveOut))
    .filter((block) => block.type !== 'text' || isPrompt(block.text, summary))
  const isEncrypted = history.some((item) => text(item['encrypted_content']) !== '')
  return { summary, prompts, isEncrypted }
}

function isPrompt(words: string, summary: string): boolean {
  return words.trim() !== summary.trim() && !isContext(words) && !isReport(words)
}

function isSummary(item: JsonObject): boolean {
  const kinds = object(item['internal_chat_message_metadata_passthrough'])?.['content_item_kinds']
  return list(kinds).includes('compaction.summary')
}

function saidIn(item: JsonObject | undefined, leaveOut: LeaveOut): string {
  const content = item === undefined ? [] : readShown(item['content'], leaveOut)
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n\n')
}
