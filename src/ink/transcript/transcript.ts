import { interruptedText } from '../../agent/turn/repair.ts'
import { attachmentNote } from '../../frontend/words/message-note.ts'
import {
  type AssistantMessage,
  givenContent,
  isCalledText,
  isLoopMessage,
  type Message,
  spokenText,
  type ToolResultMessage,
  textContent,
  type UserMessage,
} from '../../message.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { FindLook } from '../../tool.ts'
import { textEntries } from '../markdown/draft.ts'
import type { Entry } from '../state.ts'
import { itemsOf } from './plan.ts'
import { foldReads } from './shown-reads.ts'
import { thoughtStart } from './thinking-text.ts'
import { earlierTurnEnd, unansweredEnd } from './turn-end.ts'

/** Converts a resumed conversation to entries, for a window of `columns` columns. */
export function transcriptOf(
  messages: readonly Message[],
  columns: number,
  look: FindLook,
): readonly Entry[] {
  const results = new Map<string, ToolResultMessage>()
  for (const message of messages) if (message.type === 'tool_result') results.set(message.toolCallId, message)
  const entries = messages.flatMap((message): readonly Entry[] => {
    if (message.type === 'user') return isLoopMessage(message) ? [noteOf(message)] : saidByUser(message)
    return message.type === 'assistant' ? saidBy(message, results, { columns, look }) : []
  })
  return foldReads(placePlans(entries))
}

/** Tells that the last turn of an earlier run ended without an answer. */
export const unanswered: Entry = { type: 'end', ...unansweredEnd }

/**
 * Whether the last message began a turn that has no answer. Behind the results of calls it may have gone to the turn of these. An earlier
 * one may have its answer together with the next message.
 */
export function isUnanswered(messages: readonly Message[]): boolean {
  const last = messages.at(-1)
  if (last?.type !== 'user' || isLoopMessage(last)) return false
  return messages.findLast(({ type }) => type !== 'user')?.type !== 'tool_result'
}

/** Moves the last list of each turn to the end of the turn, where the running conversation shows it. */
function placePlans(entries: readonly Entry[]): readonly Entry[] {
  const placed: Entry[] = []
  let plan: Entry | undefined
  for (const entry of entries) {
    if (entry.type === 'plan') {
      plan = entry
      continue
    }
    if ((entry.type === 'user' || entry.type === 'end') && plan !== undefined) {
      placed.push(plan)
      plan = undefined
    }
    placed.push(entry)
  }
  return plan === undefined ? placed : [...placed, plan]
}

function saidByUser(message: UserMessage): readonly Entry[] {
  const attached = attachmentNote(message.metadata)
  const note: Entry[] =
    attached === undefined ? [] : [{ type: 'note', level: 'info', text: attached, isPart: true }]
  return [{ type: 'user', text: spokenText(message) }, ...note]
}

/** Converts a message of the loop to a note: its words are for the model. */
function noteOf(message: UserMessage): Entry {
  return { type: 'note', level: 'info', text: wordsOf(message) }
}

function wordsOf(message: UserMessage): string {
  const { metadata } = message
  if (metadata?.['compacted_through'] !== undefined) return 'the conversation above was summarised'
  if (metadata?.['pruned_through'] !== undefined) return 'older outputs of calls were left out'
  if (metadata?.['branch_summary'] !== undefined)
    return 'a summary of the branch that was left is carried over'
  if (isCalledText(message)) return 'its text is with what its commands printed'
  const [text = ''] = spokenText(message).split('\n', 1)
  return text.replace(/^\[(.*?)\.?\]$/, '$1')
}

function saidBy(
  message: AssistantMessage,
  results: ReadonlyMap<string, ToolResultMessage>,
  { columns, look: lookOf }: { readonly columns: number; readonly look: FindLook },
): readonly Entry[] {
  const end = earlierTurnEnd(message.stopReason)
  const said = message.content.flatMap((block): readonly Entry[] => {
    switch (block.type) {
      case 'text':
        return textEntries(block.text, columns)
      case 'thinking':
        return block.thinking.trim() === ''
          ? []
          : [{ type: 'thinking', beginning: thoughtStart(block.thinking), text: block.thinking }]
      case 'tool_call': {
        const result = results.get(block.id)
        if (result === undefined) return []
        const { isError, details } = result
        const { name } = block
        const look = lookOf(name)
        if (look.display === 'plan' && !isError) return [{ type: 'plan', items: itemsOf(details) }]
        const text = textContent({ content: givenContent(result) })
        const isInterrupted = text === interruptedText
        const ended = { isError, text: isInterrupted ? '' : text, ...omitUndefined({ details }) }
        if (isInterrupted) {
          return [{ type: 'tool', name, look, arguments: block.arguments, ...ended, isInterrupted }]
        }
        return [{ type: 'tool', name, look, arguments: block.arguments, ...ended }]
      }
      default:
        return []
    }
  })
  return end === undefined ? said : [...said, { type: 'end', ...end }]
}
