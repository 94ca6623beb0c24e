import { branchOf } from '../branch.ts'
import { inCallOrder } from '../call-order.ts'
import { spokenText } from '../message.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { Session } from '../session.ts'
import type { Usage } from '../usage.ts'
import { type Part, partsOf } from './parts.ts'
import { minuteOf, modelOf, type Reading } from './reading.ts'

/** A conversation as a document: the current branch of a session. All text is clean. */
export interface Transcript {
  readonly title: string
  readonly id: string
  /** Minutes in UTC: `2026-02-18 12:00`. */
  readonly started: string
  readonly ended: string
  readonly folder?: string
  /** Each `provider/model` that spoke, in order. */
  readonly models: readonly string[]
  readonly usage?: Usage
  readonly costUsd?: number
  /** Lists the user's texts, message by message. */
  readonly prompts: readonly string[]
  /** Yields the parts in the order in which they are read, anew for each caller. */
  parts(): Iterable<Part>
}

/** Longest title in characters. */
const titleLength = 80

/** Opens the current branch of a session as a document. Keeps no second copy of its messages. */
export function transcriptOf(session: Session, reading: Reading): Transcript {
  const { clean } = reading
  const messages = inCallOrder(branchOf(session))
  const prompts = messages.flatMap((message) =>
    message.type === 'user' && !reading.isLoopMessage(message) ? [clean(spokenText(message))] : [],
  )
  const models = messages.flatMap((message) => modelOf(message) ?? [])
  return {
    title: shortened(clean(session.title ?? '')) || shortened(prompts[0] ?? '') || `Session ${session.id}`,
    id: session.id,
    started: minuteOf(clean(session.createdAt)),
    ended: minuteOf(clean(session.updatedAt)),
    models: [...new Set(models)].map(clean),
    prompts,
    ...omitUndefined({
      folder: session.cwd === undefined ? undefined : clean(session.cwd),
      usage: session.usage,
      costUsd: session.costUsd,
    }),
    parts: () => partsOf(messages, reading),
  }
}

/** Returns the first line of a text, cut to the length of a title. */
export function shortened(text: string): string {
  const [line = ''] = text.trim().split('\n', 1)
  const characters = Array.from(line.slice(0, 2 * titleLength))
  const cut = characters.slice(0, titleLength - 1).join('')
  return cut.length < line.length && characters.length >= titleLength ? `${cut.trimEnd()}…` : line
}
