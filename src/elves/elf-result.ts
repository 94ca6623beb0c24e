import type { ElfResult } from '../elf.ts'
import type { JsonObject } from '../json-value.ts'
import type { WorktreeDiff } from '../machine/worktree.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { ChildConversation } from '../open-conversation.ts'
import type { ToolResult } from '../tool.ts'

/** Characters of an elf's text that its parent's model gets: as much as of a command's output. */
const longestText = 50_000

interface EndedElf {
  readonly name: string
  readonly call: { readonly agent: string }
  readonly result: ElfResult
  readonly child: Pick<ChildConversation, 'sessionId' | 'model'>
}

/** Returns the result of an elf for its parent's model, with a line about it at the end. */
export function resultOf({ name, call, result, child }: EndedElf): ToolResult {
  const { text, stopReason, rounds, costUsd, error } = result
  const isError = error !== undefined || stopReason === 'aborted' || stopReason === 'error'
  const isStopped = isError && (error === undefined || error.code === 'aborted')
  const why = isStopped ? 'it was stopped' : error?.message
  const facts = [name, call.agent, child.model, rounds === 1 ? '1 round' : `${rounds} rounds`]
  const lines = [cut(text) || '(no answer)', why && `It ended early: ${why}.`, `[${facts.join(' · ')}]`]
  const details: JsonObject = {
    elf: name,
    agent: call.agent,
    model: child.model,
    stop_reason: stopReason,
    rounds,
    ...omitUndefined({ session_id: child.sessionId, cost_usd: costUsd, reason: why }),
  }
  return {
    content: [{ type: 'text', text: lines.filter((line) => line !== undefined).join('\n\n') }],
    isError,
    details,
  }
}

function cut(text: string): string {
  const left = text.length - longestText
  return left <= 0 ? text : `${text.slice(0, longestText)}\n[${left} more characters are in its session]`
}

/** Files that are named in a description. */
const mostNamed = 20

/** Describes the changes of an elf and their whereabouts. */
export function describeWork({ files }: WorktreeDiff, ref: string, state: 'applied' | 'kept'): string {
  const named = files
    .slice(0, mostNamed)
    .map(({ path, added, removed }) => (added === undefined ? path : `${path} +${added} −${removed ?? 0}`))
  const more = files.length > mostNamed ? [`${files.length - mostNamed} more`] : []
  const list = [...named, ...more].join(', ')
  return state === 'applied'
    ? `Its changes are in the user's files now: ${list}.`
    : `Its changes are not in the user's files; ${ref} keeps them: ${list}.`
}

/** Returns the text of a result. */
export function textOfResult({ content }: ToolResult): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
}
