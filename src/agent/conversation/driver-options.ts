import type { AnswerQuestion, Arrival, ConversationSettings, GoToOptions } from '../../conversation.ts'
import type { ElvesAtWork } from '../../elf.ts'
import type { MessageId, SessionId } from '../../id.ts'
import type { PermissionMode } from '../../permission.ts'
import type { ThinkingLevel } from '../../provider.ts'
import type { PromptHooks } from '../../turn-hooks.ts'
import type { LogLimits } from './event-log.ts'
import type { KeptQueue } from './waiting-messages.ts'

/** Reads and sets what the next round is asked with. */
export interface SettingsControl {
  readonly current: () => ConversationSettings
  /** As `Conversation.setModel`. */
  readonly setModel: (name: string) => Promise<string>
  /** As `Conversation.setThinking`. */
  readonly setThinking: (level: ThinkingLevel) => Promise<void>
  /** As `Conversation.setMode`. */
  readonly setMode: (mode: PermissionMode) => Promise<string | undefined>
}

export interface DriverOptions {
  /** Absent if the conversation is not saved. */
  readonly sessionId: SessionId | undefined
  readonly settings: SettingsControl
  /** Judges what the user says. Default: all of it is sent. */
  readonly hooks?: PromptHooks | undefined
  /** The elves of the conversation. Default: it has none. */
  readonly elves?: ElvesAtWork | undefined
  /** Goes to a message while no turn runs, as `Conversation.goTo`. Default: it cannot. */
  readonly goTo?: ((message: MessageId, options: GoToOptions) => Promise<Arrival>) | undefined
  /** Default: messages wait in memory. */
  readonly queue?: KeptQueue | undefined
  /** Leaves what waits for a later run, because somebody else runs the turns of this one. Default: false. */
  readonly leavesQueue?: boolean | undefined
  /** Answers the questions of all turns that bring no handler. Default: only those who send `respond` answer. */
  readonly onQuestion?: AnswerQuestion | undefined
  /** Default: 10,000 events and 8,000,000 characters. */
  readonly limits?: LogLimits | undefined
}
