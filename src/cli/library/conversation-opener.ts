import type { Conversation, LocalConversation, RunOptions } from '../../conversation.ts'
import type { Command } from '../../engine.ts'
import { throwIfAborted } from '../../error.ts'
import type { UserMessage } from '../../message.ts'
import type { PermissionMode } from '../../permission.ts'
import { openChildren } from '../run/child-conversation.ts'
import { WiredConversation } from '../run/wired-conversation.ts'
import { systemClock } from '../system-clock.ts'
import { wire } from '../wiring/wiring.ts'
import type { AnsweredTurn } from './answered-turn.ts'
import { containChoice } from './foreign/foreign-provider.ts'
import { foreignParts, readLibraryMachine } from './library-machine.ts'
import type { ConversationOptions } from './library-options.ts'
import { requireOptions } from './options-shape.ts'
import { openSchema, readOptions } from './read-options.ts'

/** A conversation with the program's own engine, tools, permissions, session and audit log. */
export interface PipeConversation
  extends AsyncDisposable,
    Pick<LocalConversation, 'sessionId' | 'state' | 'messages' | 'usage' | 'costUsd' | 'unsaved'>,
    Pick<LocalConversation, 'canResume' | 'contextUse' | 'watch' | 'close'> {
  /** The same conversation as front ends hold it: it takes messages at any time, answers and interrupts. Its `close` closes this one. */
  readonly port: Conversation
  /** Like `Engine.send`. Throws `usage` for a command that does not exist or lacks a field, and `conflict` after `close`. */
  send(command: Command): void
  /** `provider/model` of the next round. */
  readonly model: string
  readonly mode: PermissionMode
  /** Faults that stopped nothing: of settings, of the session, of the sandbox. */
  readonly warnings: readonly string[]
  /**
   * Runs a turn to its end: a message, or a text that `compose` makes one of, with the resources of MCP servers and the sessions that it mentions.
   * As `LocalConversation.run`; throws `tool` too, for what cannot be read.
   */
  run(prompt: string | UserMessage, options?: RunOptions): Promise<AnsweredTurn>
  /** Goes on with what an earlier run left open. As `LocalConversation.resume`. */
  resume(options?: RunOptions): Promise<AnsweredTurn>
  /**
   * Composes a message as the program does: the first one tells the model about the folder and its instruction files, and `@path`
   * attaches a file. Only `run` reads what MCP servers hold. Throws `input` for an empty text, `permission` for a file that the rules hide.
   */
  compose(text: string): UserMessage
  /** Changes the model from the next round on. Throws `usage`, `config`, `auth`, and `conflict` after `close`. */
  setModel(name: string): Promise<void>
  /**
   * Changes the mode from the next call on. Returns a note for the user, such as that the sandbox is missing. Throws `usage`, and
   * `conflict` after `close`.
   */
  setMode(mode: PermissionMode): Promise<string | undefined>
  /**
   * Undoes the file changes of the last turn, or redoes them. Returns a report. Throws `input`, `aborted`, and `conflict` if
   * files have changed since, while a turn runs and after `close`.
   */
  undo(options?: UndoOptions): Promise<string>
}

export interface UndoOptions {
  /** Redoes what was undone. Default: false. */
  readonly redo?: boolean
  /** Even if files have changed since. Default: false. */
  readonly force?: boolean
  readonly signal?: AbortSignal
}

/**
 * Opens conversations from the package in this folder. A conversation reads the user's settings and keys as the program does, and
 * its options override them. Opening throws `usage`, `config`, `auth`, `input`, `conflict`, `sandbox`.
 */
export function conversationOpener(packageFolder: string) {
  return async (options: ConversationOptions = {}): Promise<PipeConversation> => {
    requireOptions(options)
    const { signal = new AbortController().signal } = options
    throwIfAborted(signal)
    const warnings: string[] = []
    const machine = readLibraryMachine(options, warnings, () => packageFolder)
    const schema = await openSchema(options)
    const choices = await readOptions(options, schema)
    const wired = await wire({
      machine,
      choices,
      parts: foreignParts(options),
      signal,
      children: openChildren,
    })
    return new WiredConversation(wired, {
      machine,
      warnings: [...warnings, ...wired.warnings],
      onQuestion: options.onQuestion,
      contain: (choice) => containChoice(choice, systemClock),
      schema,
    })
  }
}
