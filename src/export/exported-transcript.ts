import { oneLine } from '../characters/one-line.ts'
import { minuteOf } from '../characters/shown-time.ts'
import { branchOf } from '../history/branch.ts'
import { inCallOrder } from '../history/call-order.ts'
import { namedLength } from '../history/title-text.ts'
import { spokenText } from '../message.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { Session } from '../session.ts'
import type { Usage } from '../usage.ts'
import { type DocumentPart, exportedParts } from './document-parts.ts'
import { modelOf, type Reading } from './reading.ts'

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
  parts(): Iterable<DocumentPart>
}

/** Opens the current branch of a session as a document. Keeps no second copy of its messages. */
export function openTranscript(session: Session, reading: Reading): Transcript {
  const { clean } = reading
  const messages = inCallOrder(branchOf(session))
  const prompts = messages.flatMap((message) =>
    message.type === 'user' && !reading.isLoopMessage(message) ? [clean(spokenText(message))] : [],
  )
  const models = messages.flatMap((message) => modelOf(message) ?? [])
  return {
    title: headline(clean(session.title ?? '')) || headline(prompts[0] ?? '') || `Session ${session.id}`,
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
    parts: () => exportedParts(messages, reading),
  }
}

/** Returns a text in one line as long as a title. */
export function headline(text: string): string {
  return oneLine(text, namedLength)
}
