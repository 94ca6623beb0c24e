import type { Clock } from '../clock.ts'
import type { NewId } from '../id.ts'
import type { ThinkingLevel } from '../provider.ts'
import type { Transport } from './transport.ts'

/** Protocols of model servers. */
export const dialects = ['anthropic', 'openai-chat', 'openai-responses', 'gemini', 'ollama'] as const
export type Dialect = (typeof dialects)[number]

/** Configuration of a model's server. */
export interface Server {
  /** Provider name in messages, errors and saved sessions. */
  readonly name: string
  readonly dialect: Dialect
  /** Prefix of the dialect's paths: with the version (`/v1`) for `openai` dialects, the host for others. */
  readonly baseUrl: string
  /** Variable that holds the key. Absent for servers on this machine, which need none. */
  readonly apiKeyEnv?: string | undefined
  /** Other variables for the key, read in this order if the first is not set. */
  readonly apiKeyAliases?: readonly string[] | undefined
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly quirks?: Quirks
  /** Default model if only the key is set. */
  readonly defaultModel?: string | undefined
}

/**
 * The tags around thinking in a server's text: `both`, the `closing` one only because the model's template writes the other, or `none`
 * that mean anything.
 */
export const thinkTagUses = ['both', 'closing', 'none'] as const
export type ThinkTagUse = (typeof thinkTagUses)[number]

/** Differences of one server from its dialect. The defaults suit most servers. */
export interface Quirks {
  /** Field for the reply limit. Default `max_tokens`; OpenAI itself wants `max_completion_tokens`. */
  readonly maxTokensField?: 'max_tokens' | 'max_completion_tokens'
  /** Whether to send `stream_options`, which requests the usage. Default true. */
  readonly streamOptions?: boolean
  /** Header for the plain key. Default: the dialect's own; for `openai` ones `authorization: Bearer KEY`. */
  readonly keyHeader?: string
  /** Role of the system prompt. Default `system`. */
  readonly systemRole?: 'system' | 'developer'
  /** The exact length of tool call ids, letters and digits only: 9 with Mistral. Default: up to 40, `_` and `-` too. */
  readonly callIdLength?: number
  /** The server's names of thinking levels. Default: our own. */
  readonly reasoningEffort?: Readonly<Partial<Record<ThinkingLevel, string>>>
  /** The server's word for at least one tool call. Default `required`; Mistral uses `any`. */
  readonly toolChoiceRequired?: string
  /** Whether models with thinking by effort accept a temperature. Default true; OpenAI's own reject it. */
  readonly temperatureWithThinking?: boolean
  /**
   * Whether to send a reply's thinking back as `reasoning_content`, even if empty. Default false; DeepSeek and Moonshot reject
   * calls without it.
   */
  readonly reasoningContent?: boolean
  /** Whether a user message may follow tool results directly. Default true; Mistral wants an assistant message between them. */
  readonly userAfterTool?: boolean
  /** Whether the server still makes calls if it is asked for JSON of a schema. Default false: most then write JSON at once. */
  readonly schemaBesideTools?: boolean
  /** Which of the tags `<think>` and `</think>` are around thinking in replies. Default: learned from the first such reply. */
  readonly thinkTags?: ThinkTagUse
}

/** Server settings and dependencies of a provider. */
export interface ServerAccess extends Pick<Server, 'name' | 'baseUrl' | 'headers' | 'quirks'> {
  readonly apiKey?: string | undefined
  /** Tells how the user replaces a key that the server refuses, as a command in words. */
  readonly keyRemedy?: string | undefined
  readonly transport: Transport
  readonly newId: NewId
  readonly clock: Clock
}
