import { isSessionId, type SessionId } from '../../src/id.ts'

export function sessionId(text = 'session-id'): SessionId {
  if (isSessionId(text)) return text
  throw new Error(`not a session id: ${text}`)
}
