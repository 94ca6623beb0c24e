import { contextOf } from '../../src/agent/compaction/context.ts'
import { splitLines } from '../../src/files/reading/split-lines.ts'
import { branchOf } from '../../src/history/branch.ts'
import { createNewId, type NewId } from '../../src/id.ts'
import { type ForeignSession, readSession } from '../../src/import/read-session.ts'
import { contextLength, isMark, type Message } from '../../src/message.ts'
import { now } from '../support/messages/messages.ts'

/** A line of a session: an object, or the line as it is. */
export type Foreign = object | string

/** Writes lines as a file has them. */
export function asFile(lines: readonly Foreign[]): string {
  return lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('')
}

/** Reads the bytes of a session, a few at a time. */
export async function readForeign(lines: readonly Foreign[] | string): Promise<ForeignSession> {
  const bytes = Buffer.from(typeof lines === 'string' ? lines : asFile(lines))
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000)
  }
  return readSession(splitLines(chunks()), { newId: makingIds(), now })
}

/** Makes the same ids in each test. */
export function makingIds(): NewId {
  let made = 0
  return createNewId(
    (length) => {
      made++
      return Uint8Array.from({ length }, (_, i) => (i < 4 ? (made >> (8 * i)) & 255 : 0))
    },
    () => now,
  )
}

/** Formats the current branch, one message per line: the speaker and all of its blocks. */
export function outlineBranch(session: Pick<ForeignSession, 'messages' | 'head'>): readonly string[] {
  return branchOf(session).map(outlineMessage)
}

/** Formats what the next request sends. */
export function outlineContext(session: ForeignSession): readonly string[] {
  return contextOf(branchOf(session)).map(outlineMessage)
}

export function outlineMessage(message: Message): string {
  const context = contextLength(message)
  const parts = message.content.map((block, i) => {
    if (block.type === 'text') return i < context ? `{${block.text}}` : block.text
    if (block.type === 'thinking')
      return `(${block.thinking}${block.signature === undefined ? '' : ' signed'})`
    return block.type === 'tool_call' ? `${block.name} ${JSON.stringify(block.arguments)}` : block.type
  })
  const speaker = isMark(message) ? 'mark' : message.type === 'tool_result' ? message.toolName : message.type
  return `${speaker}: ${parts.join(' + ')}${message.type === 'tool_result' && message.isError ? ' [error]' : ''}`
}

/** The named losses, by kind. */
export function lost({ leftOut }: ForeignSession): Readonly<Record<string, number>> {
  return Object.fromEntries(leftOut.map(({ kind, count }) => [kind, count]))
}
