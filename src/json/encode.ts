import { omitUndefined } from '../omit-undefined.ts'
import type { Session, SessionState } from '../session.ts'
import { encodeCost, encodeMessage, encodeUsage } from '../text/message-json.ts'
import { currentVersion } from './layout.ts'
import type { DiskEnvelope } from './schema.ts'

/** Encodes a whole session as its file holds it, with all media inline. */
export function encodeSession(session: Session) {
  const { id, systemPrompt, createdAt, updatedAt, cwd, messages } = session
  return {
    version: currentVersion,
    id,
    system_prompt: systemPrompt,
    created_at: createdAt,
    ...omitUndefined({ cwd }),
    messages: messages.map(encodeMessage),
    updated_at: updatedAt,
    ...encodeState(session),
  }
}

/** Encodes the state of a session, bounded in size. */
export function encodeState({ title, head, model, usage, costUsd }: SessionState): DiskEnvelope {
  return omitUndefined({
    title,
    head,
    model,
    usage: usage === undefined ? undefined : encodeUsage(usage),
    ...encodeCost(costUsd),
  })
}
