import type { Era } from './connection.ts'
import type { ListedPrompt } from './lists/listed-prompt.ts'

/** Keeps the facts about a server from the last time it was reached. */
export interface RememberedServer {
  readonly era: Era
  /** A hash of what each of its tools says of itself, by the tool's own name. */
  readonly tools: Readonly<Record<string, string>>
  /** Its prompts, for lists. */
  readonly prompts?: readonly ListedPrompt[]
}

/** Keeps what is known of servers, by the hash of what starts or reaches them. */
export interface ServerMemory {
  recall(hash: string): RememberedServer | undefined
  /** Throws what keeps it from being written. */
  keep(hash: string, server: RememberedServer): Promise<void>
}
