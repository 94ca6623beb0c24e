import type { AgentEvent } from '../event.ts'
import type { JsonObject } from '../json-value.ts'
import type { UserMessage } from '../message.ts'
import { nobodyToAsk } from '../permission.ts'
import { type Outputs, tell } from '../terminal/output.ts'
import { lossesOf } from '../text/message-note.ts'
import { savingNote } from '../text/saving-note.ts'

/** Says that another model answers, and why. */
export function fallbackNotice({ from, to, reason }: Extract<AgentEvent, { type: 'fallback' }>): string {
  return `pipe: ${reason}; ${to} continues for ${from}\n`
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
  const line = reason.replace(/\s+/g, ' ')
  return line.length > longest ? `${line.slice(0, longest)}…` : line
}

/** Warns, even with `--quiet`, that the model does not get part of the input. */
export function warnOfLoss({ metadata }: UserMessage, outputs: Pick<Outputs, 'stderr'>): void {
  for (const loss of lossesOf(metadata)) tell(outputs, loss)
}

/** Warns, once, of changes that an undo will not cover. */
export function warnOfUnsaved(event: AgentEvent, outputs: Pick<Outputs, 'stderr'>): void {
  if (event.type === 'checkpoint' && event.unsaved !== undefined)
    for (const note of event.notes) tell(outputs, note)
}

/** Tells what a person should know of a turn: its notices, and when saving fails or works again. */
export function tellNotices(event: AgentEvent, outputs: Pick<Outputs, 'stderr'>): void {
  if (event.type === 'notice') tell(outputs, event.text)
  if (event.type === 'unsaved' || event.type === 'saved') tell(outputs, savingNote(event))
}
