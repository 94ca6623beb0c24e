import type { Clock } from '../clock.ts'
import type {
  Arrival,
  Conversation,
  ConversationSettings,
  GoToOptions,
  Position,
  SentAs,
  Snapshot,
  Watched,
  WatchOptions,
  When,
} from '../conversation.ts'
import { hasCode, isPipeError, PipeError, retryable } from '../error.ts'
import type { AgentEvent } from '../event.ts'
import { calledName } from '../frontend/own-prompt.ts'
import type { MessageId, SessionId } from '../id.ts'
import type { InteractionResponse } from '../interaction.ts'
import { postedSchema } from '../json/served/command-schema.ts'
import type { JsonObject, JsonValue } from '../json-value.ts'
import { type Message, spokenText, type UserMessage } from '../message.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { PermissionMode } from '../permission.ts'
import type { ThinkingLevel } from '../provider.ts'
import { addUsage, type Usage } from '../usage.ts'
import { encodeResponse } from '../wire/interaction-json.ts'
import { eventsAhead, readNews, type SentNews } from './news.ts'
import { reconnecting } from './reconnecting.ts'
import type { ServerClient } from './server-client.ts'

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

/** A session of a server, through the one door of a conversation. */
export class RemoteConversation implements Conversation {
  readonly sessionId: SessionId
  readonly #options: RemoteOptions
  readonly #path: string
  readonly #left = new AbortController()
  #now: Snapshot
  /** The last event in `#now`. */
  #position: Position = ''
  /** Settles after the last message was sent; never rejects. */
  #sent: Promise<unknown> = Promise.resolve()

  constructor(sessionId: SessionId, now: Snapshot, options: RemoteOptions) {
    this.sessionId = sessionId
    this.#now = now
    this.#options = options
    this.#path = `/v1/sessions/${encodeURIComponent(sessionId)}`
  }

  get messages(): readonly Message[] {
    return this.#now.messages
  }

  get usage(): Usage {
    return this.#now.usage
  }

  get costUsd(): number | undefined {
    return this.#now.costUsd
  }

  get settings(): ConversationSettings {
    return this.#now.settings
  }

  watch({ after, signal }: WatchOptions = {}): AsyncIterableIterator<Watched, undefined> {
    const stop = new AbortController()
    const watching = this.#watch(after, this.#until(signal, stop.signal))
    return {
      next: () => watching.next(),
      // A read that waits for the server ends too.
      return: () => {
        stop.abort()
        return watching.return(undefined)
      },
      [Symbol.asyncIterator]() {
        return this
      },
    }
  }

  async *#watch(
    from: Position | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<Watched, undefined, undefined> {
    const { client, clock, patienceMs } = this.#options
    let after = from
    const listen = () => client.listen(`${this.#path}/events`, { after, signal })
    for await (const step of reconnecting(listen, { clock, patienceMs, signal, name: client.name })) {
      if (step.type !== 'line') {
        yield { ...step, position: after ?? '' }
        continue
      }
      const { id = after, line } = step.sent
      after = id
      const news = readNews(line, { session: this.sessionId, position: id ?? '' })
      if (news !== undefined) yield this.#note(news)
    }
    return undefined
  }

  /** Sends messages one at a time, because requests on several connections overtake each other. */
  send(message: UserMessage, when: When = 'now'): Promise<SentAs> {
    const sent = this.#sent.then(() => this.#send(message, when))
    this.#sent = Promise.allSettled([sent])
    return sent
  }

  async takeBack(id: MessageId): Promise<void> {
    await this.#sent
    await this.#command({ type: 'take_back', message_id: id })
  }

  async respond(response: InteractionResponse): Promise<void> {
    await this.#command({ type: 'respond', response: encodeResponse(response) })
  }

  async goOn(): Promise<void> {
    await this.#command({ type: 'go_on' })
  }

  async interrupt(): Promise<void> {
    // The server ends only turns of messages that it knows.
    await this.#sent
    await this.#command({ type: 'interrupt' })
  }

  compact(keep?: string, when?: When): Promise<string | undefined> {
    return this.#noteOf({ type: 'compact', ...omitUndefined({ keep, when }) })
  }

  async setModel(model: string): Promise<string> {
    await this.#command({ type: 'set_model', model })
    const { model: chosen } = await this.#options.client.get(this.#path, this.#asking())
    return typeof chosen === 'string' ? chosen : model
  }

  async setThinking(level: ThinkingLevel): Promise<void> {
    await this.#command({ type: 'set_thinking', level })
  }

  setMode(mode: PermissionMode): Promise<string | undefined> {
    return this.#noteOf({ type: 'set_mode', mode })
  }

  async goTo(message: MessageId, { what, isSummarised: summary, signal }: GoToOptions): Promise<Arrival> {
    const command = { type: 'go_to', message_id: message, what, ...omitUndefined({ summary }) }
    const { text, report } = await this.#command(command, signal)
    return { text: textOf(text), report: textOf(report) }
  }

  async stopElf(name: string): Promise<boolean> {
    const path = `${this.#path}/elves/${encodeURIComponent(name)}/commands`
    try {
      await this.#options.client.post(path, { type: 'interrupt' }, this.#asking())
      return true
    } catch (error) {
      if (hasCode(error, 'not_found')) return false
      throw error
    }
  }

  /** Leaves the server's turn as it is. */
  async close(): Promise<void> {
    this.#left.abort(new PipeError('conflict', 'the conversation is closed'))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #send({ id, ...message }: UserMessage, when: When): Promise<SentAs> {
    const { client, clock } = this.#options
    const signal = this.#asking()
    const text = spokenText(message)
    const name = calledName(text)
    const body = {
      id,
      text,
      when: when === 'now' ? when : 'after',
      // Skills are refused by their prefix.
      ...(name !== undefined && !name.startsWith('skill:') && { is_command: true }),
    }
    for (let attempt = 1; ; attempt++) {
      try {
        const { success, data } = postedSchema.safeParse(
          await client.post(`${this.#path}/messages`, body, signal),
        )
        if (success) return data.status
        throw new PipeError('protocol', `${client.name} did not confirm the message`)
      } catch (error) {
        if (attempt === attempts || !isPipeError(error) || !retryable[error.code]) throw error
        await clock.sleep(retryMs * attempt, signal)
      }
    }
  }

  /** Keeps what is known of the conversation, and completes a snapshot with the settings. */
  #note(news: SentNews): Watched {
    if (news.type === 'snapshot') {
      const snapshot = { ...news.snapshot, settings: this.settings }
      if (eventsAhead(news.position, this.#position) >= 0) {
        this.#now = snapshot
        this.#position = news.position
      }
      return { ...news, snapshot }
    }
    if (news.type === 'settings') this.#now = { ...this.#now, settings: news.settings }
    // Each of several watchers reads every event.
    if (news.type === 'event' && eventsAhead(news.position, this.#position) > 0) {
      this.#position = news.position
      this.#hear(news.event, news.isOwn)
    }
    return news
  }

  #hear(event: AgentEvent, isOwn: boolean): void {
    const { messages, usage, costUsd } = this.#now
    if (event.type === 'round_end') {
      const cost = event.costUsd === undefined ? costUsd : (costUsd ?? 0) + event.costUsd
      this.#now = { ...this.#now, usage: addUsage(usage, event.usage), ...omitUndefined({ costUsd: cost }) }
    }
    if (isOwn && (event.type === 'turn_start' || event.type === 'message') && event.message !== undefined)
      this.#now = { ...this.#now, messages: [...messages, event.message] }
  }

  async #noteOf(command: JsonObject): Promise<string | undefined> {
    return textOf((await this.#command(command))['note'])
  }

  async #command(command: JsonObject, stop?: AbortSignal): Promise<JsonObject> {
    return this.#options.client.post(`${this.#path}/commands`, command, this.#asking(stop))
  }

  /** As `#until`, for a request. Throws `conflict` once the conversation is left. */
  #asking(stop?: AbortSignal): AbortSignal {
    this.#left.signal.throwIfAborted()
    return this.#until(stop)
  }

  /** Fires when the conversation is left, and with the given signals. */
  #until(...stops: readonly (AbortSignal | undefined)[]): AbortSignal {
    const given = stops.filter((stop) => stop !== undefined)
    return AbortSignal.any([this.#options.signal, this.#left.signal, ...given])
  }
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}
