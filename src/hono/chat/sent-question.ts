import type { ReplyFormat, ThinkingLevel, ToolChoice } from '../../provider.ts'
import type { Tool } from '../../tool.ts'
import type { AppParts } from '../app-parts.ts'
import type { SentHistory } from './sent-history.ts'

export type ChatParts = Pick<AppParts, 'backend' | 'hub' | 'clock' | 'newId' | 'random'>

/** A client's question, in any format. */
export interface SentQuestion extends SentHistory {
  /** As the client names it. Default: the agent with its usual model. */
  readonly model?: string | undefined
  readonly temperature?: number | undefined
  readonly maxTokens?: number | undefined
  readonly thinking?: ThinkingLevel | undefined
  /** Tools of the client, which carries out their calls. Default: none. */
  readonly tools?: readonly Tool[]
  readonly toolChoice?: ToolChoice | undefined
  /** Options that only a model alone honours. */
  readonly stop?: readonly string[] | undefined
  readonly format?: ReplyFormat | undefined
  readonly parallelCalls?: boolean | undefined
  /** A model's name stands for that model alone, even without tools. Default: for the agent with this model. */
  readonly isForModel?: boolean
  /** Tells all events of the agent. */
  readonly tellsEvents?: boolean
}
