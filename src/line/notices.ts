import { oneLine } from '../characters/one-line.ts'
import type { AgentEvent } from '../event.ts'
import { lossesOf } from '../frontend/words/message-note.ts'
import { savingNote } from '../frontend/words/saving-note.ts'
import type { JsonObject } from '../json-value.ts'
import type { UserMessage } from '../message.ts'
import { nobodyToAsk } from '../permission.ts'
import { type Outputs, printWarning } from '../terminal/output.ts'

/** Returns what a person should know of an event, as a line; `undefined` for most events. */
export function noticeOf(event: AgentEvent): string | undefined {
  switch (event.type) {
    case 'notice':
      return `pipe: ${event.text}\n`
    case 'fallback':
      return `pipe: ${event.reason}; ${event.to} continues for ${event.from}\n`
    case 'unsaved':
    case 'saved':
      return `pipe: ${savingNote(event)}\n`
    default:
      return undefined
  }
}

/** Says how many calls were denied, for which tools and why. `undefined` without denials. `denials` comes from the JSON result. */
export function denialNotice(denials: readonly JsonObject[]): string | undefined {
  if (denials.length === 0) return undefined
  const count = denials.length === 1 ? '1 call was denied' : `${denials.length} calls were denied`
  const tools = new Map<string, Set<string>>()
  for (const { name, reason } of denials) {
    const cause = describeReason(String(reason))
    tools.set(cause, (tools.get(cause) ?? new Set()).add(String(name)))
  }
  const [first, second, ...more] = [...tools].map(([cause, names]) => `${[...names].join(', ')} (${cause})`)
  const rest = more.length === 0 ? undefined : `${more.length} more`
  return `pipe: ${count}: ${[first, second, rest].filter((text) => text !== undefined).join('; ')}\n`
}

const longest = 120

function describeReason(reason: string): string {
  if (reason.includes(nobodyToAsk))
    return 'it needs approval: run pipe on a terminal, or allow it with --allowed-tools'
  return oneLine(reason, longest)
}

/** Warns, even with `--quiet`, that the model does not get part of the input. */
export function warnOfLoss({ metadata }: UserMessage, outputs: Pick<Outputs, 'stderr'>): void {
  for (const loss of lossesOf(metadata)) printWarning(outputs, loss)
}

/** Warns, once, of changes that an undo will not cover. */
export function warnOfUnsaved(event: AgentEvent, outputs: Pick<Outputs, 'stderr'>): void {
  if (event.type === 'checkpoint' && event.unsaved !== undefined)
    for (const note of event.notes) printWarning(outputs, note)
}
