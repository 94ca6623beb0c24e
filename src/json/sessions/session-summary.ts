import { isJsonObject, type JsonValue, parseJson } from '../../json-value.ts'
import { manifestField, spokenText } from '../../message.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { countOpen, outcomeOf, type Session, type SessionSummary } from '../../session.ts'

/** The fields of a message, in memory or on disk, that the opening needs. */
export interface Opener {
  readonly type: string
  readonly content: readonly { readonly type: string; readonly text?: string | undefined }[]
  readonly metadata?: Readonly<Record<string, string>> | undefined
}

const openingLength = 200

/** How a session began. */
export type SummaryFacts = Pick<SessionSummary, 'opening' | 'gitBranch' | 'gitCommit'>

/** Returns the first 200 characters that the user wrote, and the git branch and commit on which the message's run began. */
export function beginningOf(messages: Iterable<Opener>): SummaryFacts {
  for (const message of messages) {
    const opening = message.type === 'user' ? wordsOf(message) : ''
    if (opening !== '') return { opening, ...gitPlaceOf(message) }
  }
  return {}
}

/** Returns the first 200 characters that the user wrote. */
export function openingOf(messages: Iterable<Opener>): string | undefined {
  return beginningOf(messages).opening
}

function wordsOf(message: Opener): string {
  return Array.from(
    spokenText(message)
      .trim()
      .slice(0, 2 * openingLength),
  )
    .slice(0, openingLength)
    .join('')
}

function gitPlaceOf({ metadata }: Opener): Pick<SummaryFacts, 'gitBranch' | 'gitCommit'> {
  const manifest = parseJson(metadata?.[manifestField] ?? '')
  if (!isJsonObject(manifest)) return {}
  const textOf = (value: JsonValue | undefined) => (typeof value === 'string' ? value : undefined)
  return omitUndefined({ gitBranch: textOf(manifest['git_branch']), gitCommit: textOf(manifest['git_head']) })
}

/** Summarises a session without its messages. */
export function summaryOf(session: Session): SessionSummary {
  const { id, createdAt, updatedAt, cwd, parent, title, model, messages, pending } = session
  const found = omitUndefined({
    cwd,
    parentId: parent?.sessionId,
    title,
    model,
    ...beginningOf(messages),
    outcome: outcomeOf(session),
    pending: countOpen(pending),
  })
  return { id, createdAt, updatedAt, ...found }
}
