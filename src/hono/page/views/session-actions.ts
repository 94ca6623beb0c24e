import type { JsonObject } from '../../../json-value.ts'
import { text } from '../../../wire/json-fields.ts'
import type { Api } from '../wire/api.ts'
import type { Response } from '../wire/page-question.ts'

/** Acts on a session for the user. Throws `ApiError`. */
export interface SessionActions {
  send(text: string, id: string, when: 'now' | 'after'): Promise<void>
  takeBack(messageId: string): Promise<void>
  interrupt(): Promise<void>
  respond(response: Response): Promise<void>
  /** Returns a note for the user; may be empty. */
  setMode(mode: string): Promise<string>
  stopElf(name: string): Promise<void>
}

export function sessionActions(api: Api, id: string): SessionActions {
  const path = `/v1/sessions/${id}`
  const command = (body: JsonObject) => api.post(`${path}/commands`, body)
  return {
    send: async (words, messageId, when) => {
      await api.post(`${path}/messages`, { text: words, id: messageId, when })
    },
    takeBack: async (messageId) => {
      await command({ type: 'take_back', message_id: messageId })
    },
    interrupt: async () => {
      await command({ type: 'interrupt' })
    },
    respond: async (response) => {
      await command({ type: 'respond', response })
    },
    setMode: async (mode) => text((await command({ type: 'set_mode', mode }))['note']),
    stopElf: async (name) => {
      await api.post(`${path}/elves/${encodeURIComponent(name)}/commands`, { type: 'interrupt' })
    },
  }
}
