import type { Clock } from './clock.ts'
import type { NewId } from './id.ts'
import type { ThinkingLevel } from './provider.ts'
import type { Transport } from './transport.ts'

/** The languages that models' servers speak. */
export const dialects = ['anthropic', 'openai-chat', 'openai-responses', 'gemini', 'ollama'] as const
export type Dialect = (typeof dialects)[number]

/** A model's server, as data. */
export interface Server {
  /** Names the provider in messages, errors and saved sessions. */
  readonly name: string
  readonly dialect: Dialect
  /** What the dialect's paths are added to: with its version (`/v1`) for the `openai` ones, the host for the others. */
  readonly baseUrl: string
  /** The variable that holds the key. A server without one needs none: it runs on this machine. */
  readonly apiKeyEnv?: string
  /** Other variables that may hold it, asked in this order where the first is not set. */
  readonly apiKeyAliases?: readonly string[]
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>
  readonly quirks?: Quirks
  /** What to talk to when only the key is there. */
  readonly defaultModel?: string
}

/** How one server differs from the rest of its dialect. Every field has a default that most servers take. */
export interface Quirks {
  /** The field for the limit on the reply. Default `max_tokens`; OpenAI itself wants `max_completion_tokens`. */
  readonly maxTokensField?: 'max_tokens' | 'max_completion_tokens'
  /** Whether `stream_options` may be sent, to be told the usage. Default true. */
  readonly streamOptions?: boolean
  /** The header that carries the key as it is. Default: the dialect's own, for `openai` ones `authorization: Bearer KEY`. */
  readonly keyHeader?: string
  /** Who speaks the system prompt. Default `system`. */
  readonly systemRole?: 'system' | 'developer'
  /** The exact length of tool call ids, letters and digits only: 9 with Mistral. Default: up to 40, `_` and `-` too. */
  readonly callIdLength?: number
  /** The server's word for a thinking level. Default: the level's own name. */
  readonly reasoningEffort?: Readonly<Partial<Record<ThinkingLevel, string>>>
  /** The server's word for a choice of tools that asks for at least one. Default `required`; Mistral says `any`. */
  readonly toolChoiceRequired?: string
  /** Whether models whose thinking is set by effort take a temperature. Default true; OpenAI's own refuse it. */
  readonly temperatureWithThinking?: boolean
  /** Whether a reply goes back with its thinking as `reasoning_content`, empty where it has none. Default false; DeepSeek and Moonshot refuse calls without it. */
  readonly reasoningContent?: boolean
  /** Whether the user may speak directly after the results of tools. Default true; Mistral wants the assistant between them. */
  readonly userAfterTool?: boolean
}

/** What a provider needs to talk to a server. */
export interface ServerAccess extends Pick<Server, 'name' | 'baseUrl' | 'headers' | 'quirks'> {
  readonly apiKey?: string
  readonly transport: Transport
  readonly newId: NewId
  readonly clock: Clock
}
