import type { JsonObject } from '../../../json-value.ts'
import { text } from '../../../wire/json-fields.ts'
import type { PageFile } from '../files/page-file.ts'
import type { Api } from '../wire/api.ts'
import type { Response } from '../wire/page-question.ts'

/** A message of the user. */
export interface PageMessage {
  readonly text: string
  /** The same for each attempt to send it. */
  readonly id: string
  readonly when: 'now' | 'after'
  readonly files: readonly PageFile[]
}

/** Returns the field of a request that holds files; none without files. */
export function filesField(files: readonly PageFile[]): JsonObject {
  return files.length === 0 ? {} : { files: files.map(({ name, data }) => ({ name, data })) }
}

/** Acts on a session for the user. Throws `ApiError`. */
export interface SessionActions {
  send(message: PageMessage): Promise<void>
  takeBack(messageId: string): Promise<void>
  interrupt(): Promise<void>
  respond(response: Response): Promise<void>
  setModel(model: string): Promise<void>
  setThinking(level: string): Promise<void>
  /** Returns a note for the user; may be empty. */
  setMode(mode: string): Promise<string>
  stopElf(name: string): Promise<void>
}

export function sessionActions(api: Api, id: string): SessionActions {
  const path = `/v1/sessions/${id}`
  const command = (body: JsonObject) => api.post(`${path}/commands`, body)
  return {
    send: async ({ text: words, id: messageId, when, files }) => {
      await api.post(`${path}/messages`, { text: words, id: messageId, when, ...filesField(files) })
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
    setModel: async (model) => {
      await command({ type: 'set_model', model })
    },
    setThinking: async (level) => {
      await command({ type: 'set_thinking', level })
    },
    setMode: async (mode) => text((await command({ type: 'set_mode', mode }))['note']),
    stopElf: async (name) => {
      await api.post(`${path}/elves/${encodeURIComponent(name)}/commands`, { type: 'interrupt' })
    },
  }
}
