import { omitUndefined } from '../../omit-undefined.ts'
import type { NewSession, ParentCall, PendingQuestion, Session, SessionState } from '../../session.ts'
import { encodeInteraction, encodeResponse } from '../../wire/interaction-json.ts'
import { encodeCost, encodeMessage, encodeUsage } from '../../wire/message-json.ts'
import { currentVersion } from '../sessions/layout.ts'

/** Encodes a whole session as its file holds it, with all media inline. */
export function encodeSession(session: Session) {
  const { updatedAt, messages } = session
  return {
    ...encodeHeader(session),
    messages: messages.map(encodeMessage),
    updated_at: updatedAt,
    ...encodeState(session),
  }
}

/** Encodes the fields before the messages. */
export function encodeHeader({ id, systemPrompt, createdAt, cwd, parent }: NewSession) {
  return {
    version: currentVersion,
    id,
    system_prompt: systemPrompt,
    created_at: createdAt,
    ...omitUndefined({ cwd }),
    ...encodeParent(parent),
  }
}

/** Encodes the call that began a session. */
function encodeParent(parent: ParentCall | undefined) {
  return parent === undefined ? {} : { parent_session_id: parent.sessionId, parent_call_id: parent.callId }
}

/** Encodes the state of a session, bounded in size. */
export function encodeState({ pending = [], ...state }: SessionState) {
  const { title, head, model, usage, costUsd, lastTurn, movedTo } = state
  return omitUndefined({
    title,
    head,
    model,
    usage: usage === undefined ? undefined : encodeUsage(usage),
    ...encodeCost(costUsd),
    last_turn: lastTurn && { after: lastTurn.after, outcome: lastTurn.outcome },
    pending: pending.length === 0 ? undefined : pending.map(encodePending),
    moved_to: movedTo,
  })
}

function encodePending({ callId, interaction, subject, child, response }: PendingQuestion) {
  return {
    call_id: callId,
    interaction: encodeInteraction(interaction),
    subject,
    ...omitUndefined({ child_session_id: child?.sessionId, child_name: child?.name }),
    ...omitUndefined({ response: response && encodeResponse(response) }),
  }
}
