import type { Clock } from '../clock.ts'
import { isPipeError, PipeError, retryable } from '../error.ts'
import type {
  FollowedConversation,
  FollowedNews,
  FollowedSnapshot,
  SaidAs,
} from '../followed-conversation.ts'
import type { MessageId, SessionId } from '../id.ts'
import type { InteractionResponse } from '../interaction.ts'
import { postedSchema } from '../json/served/command-schema.ts'
import type { JsonObject } from '../json-value.ts'
import { spokenText, type UserMessage } from '../message.ts'
import { omitUndefined } from '../omit-undefined.ts'
import { encodeResponse } from '../wire/interaction-json.ts'
import type { ServerClient } from './client.ts'
import { readNews } from './news.ts'
import { reconnecting } from './reconnecting.ts'

export interface RemoteOptions {
  readonly client: ServerClient
  readonly clock: Clock
  /** Milliseconds to look for a lost server. */
  readonly patienceMs: number
  /** Ends all requests. */
  readonly signal: AbortSignal
}

/** A message is sent so often, as its id lets the server take it once. */
const attempts = 3
const retryMs = 500

/** A session of a server, as a conversation to follow. */
export class RemoteConversation implements FollowedConversation {
  readonly sessionId: SessionId
  readonly snapshot: FollowedSnapshot
  readonly #options: RemoteOptions
  readonly #path: string

  constructor(sessionId: SessionId, snapshot: FollowedSnapshot, options: RemoteOptions) {
    this.sessionId = sessionId
    this.snapshot = snapshot
    this.#options = options
    this.#path = `/v1/sessions/${encodeURIComponent(sessionId)}`
  }

  async *watch(stop: AbortSignal): AsyncGenerator<FollowedNews, void, undefined> {
    const { client, clock, patienceMs } = this.#options
    const signal = AbortSignal.any([stop, this.#options.signal])
    let after: string | undefined
    const listen = () => client.listen(`${this.#path}/events`, { after, signal })
    for await (const step of reconnecting(listen, { clock, patienceMs, signal, name: client.name })) {
      if (step.type !== 'line') {
        yield step
        continue
      }
      const { id = after, line } = step.sent
      after = id
      const news = readNews(line, { session: this.sessionId, position: id ?? '' })
      if (news !== undefined) yield news
    }
  }

  async say({ id, ...message }: UserMessage, when: 'now' | 'after'): Promise<SaidAs> {
    const { client, clock, signal } = this.#options
    const body = { id, text: spokenText(message), when }
    for (let attempt = 1; ; attempt++) {
      try {
        const { success, data } = postedSchema.safeParse(
          await client.post(`${this.#path}/messages`, body, signal),
        )
        if (success) return data.status
        throw new PipeError('protocol', `${client.name} does not say what became of the message`)
      } catch (error) {
        if (attempt === attempts || !isPipeError(error) || !retryable[error.code]) throw error
        await clock.sleep(retryMs * attempt, signal)
      }
    }
  }

  async takeBack(id: MessageId): Promise<void> {
    await this.#command({ type: 'take_back', message_id: id })
  }

  async respond(response: InteractionResponse): Promise<void> {
    await this.#command({ type: 'respond', response: encodeResponse(response) })
  }

  async interrupt(): Promise<void> {
    await this.#command({ type: 'interrupt' })
  }

  compact(keep: string | undefined): Promise<string | undefined> {
    return this.#command({ type: 'compact', ...omitUndefined({ keep }) })
  }

  /** Changes the model from the next round on. Returns its `provider/model`. */
  async setModel(model: string): Promise<string> {
    const { client, signal } = this.#options
    await this.#send({ type: 'set_model', model })
    const { model: chosen } = await client.get(this.#path, signal)
    return typeof chosen === 'string' ? chosen : model
  }

  /** Changes the mode. Returns a note for the user. */
  setMode(mode: string): Promise<string | undefined> {
    return this.#command({ type: 'set_mode', mode })
  }

  async stopElf(name: string): Promise<void> {
    const { client, signal } = this.#options
    await client.post(
      `${this.#path}/elves/${encodeURIComponent(name)}/commands`,
      { type: 'interrupt' },
      signal,
    )
  }

  async #command(command: JsonObject): Promise<string | undefined> {
    const { note } = await this.#send(command)
    return typeof note === 'string' ? note : undefined
  }

  #send(command: JsonObject): Promise<JsonObject> {
    const { client, signal } = this.#options
    return client.post(`${this.#path}/commands`, command, signal)
  }
}
