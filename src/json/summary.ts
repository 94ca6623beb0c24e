import { contextLength } from '../message.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { Session, SessionSummary } from '../session.ts'

/** The fields of a message, in memory or on disk, that the opening needs. */
export interface Opener {
  readonly type: string
  readonly content: readonly { readonly type: string; readonly text?: string | undefined }[]
  readonly metadata?: Readonly<Record<string, string>> | undefined
}

const openingLength = 200

/** Returns the first 200 characters that the user wrote. */
export function openingOf(messages: Iterable<Opener>): string | undefined {
  for (const { type, content, metadata } of messages) {
    if (type !== 'user') continue
    const written = content.slice(contextLength({ metadata })).map((block) => block.text ?? '')
    const text = written.join('').trim()
    if (text !== '')
      return Array.from(text.slice(0, 2 * openingLength))
        .slice(0, openingLength)
        .join('')
  }
  return undefined
}

/** Summarises a session without its messages. */
export function summaryOf(session: Session): SessionSummary {
  const { id, createdAt, updatedAt, cwd, title, messages, pending } = session
  const counted = pending?.length || undefined
  const found = omitUndefined({ cwd, title, opening: openingOf(messages), pending: counted })
  return { id, createdAt, updatedAt, ...found }
}
