import type { AgentDefinition } from '../actor.ts'
import type { Arrival, Conversation, Ending, GoToOptions } from '../conversation.ts'
import type { PipeError } from '../error.ts'
import type { ContextUse } from '../history/context-use.ts'
import type { AgentId, MessageId } from '../id.ts'
import type { Interaction, InteractionResponse } from '../interaction.ts'
import type { MemoryScope } from '../memory/memories.ts'
import type { UserMessage } from '../message.ts'
import type { PermissionMode } from '../permission.ts'
import type { ThinkingLevel } from '../provider.ts'
import type { SessionElsewhere, SessionSummary } from '../session.ts'
import type { FindLook } from '../tool.ts'
import type { BackgroundCommands } from './background-commands.ts'
import type { KeyStore } from './key-store.ts'
import type { OfferedModel } from './offered-model.ts'
import type { OwnPrompt } from './own-prompt.ts'
import type { PastPrompts } from './past-prompts.ts'
import type { ServerPrompts } from './server-prompts.ts'
import type { ServerResources } from './server-resources.ts'
import type { ReadPreview } from './session-preview.ts'
import type { SettingActions } from './setting-actions.ts'
import type { ShellEnd, ShellOutput } from './shell-command.ts'
import type { TaskActions } from './task-actions.ts'

/** The open conversation, as a front end sees it. */
export interface ConversationView {
  readonly conversation: Conversation
  /** Id of the agent in its events. Absent: another process runs it. */
  readonly agentId?: AgentId | undefined
  /** Absent if nothing is saved. */
  readonly sessionId: string | undefined
  /** `provider/model`. */
  readonly model: string
  readonly mode: PermissionMode | undefined
  /** The name of the agent that it works as, if any. */
  readonly agent?: string | undefined
  /** Names the server that runs it, for the user. Absent: this process does. */
  readonly server?: string | undefined
  /** Problems to show to the user, such as files that cannot be read. */
  readonly warnings: readonly string[]
  /** Automatic decisions to show to the user. */
  readonly notices?: readonly string[]
}

export interface UndoRequest {
  readonly redo: boolean
  /** Overwrites files that were changed since. */
  readonly force: boolean
  readonly signal: AbortSignal
}

/** A message of the conversation, on any branch, as a place to go to. */
export interface TreeMessage {
  readonly messageId: MessageId
  readonly role: 'user' | 'assistant'
  /** Its first words, in one line. */
  readonly text: string
  /** ISO 8601. */
  readonly timestamp: string
  /** How many branchings lie above it that it is not the first child of. */
  readonly depth: number
  /** Whether it belongs to the current branch. */
  readonly isCurrent: boolean
  /** How many turns since then changed files that can be restored. Absent: none. */
  readonly turns?: number
}

/** An `Arrival`, with the conversation from there. Absent if only files went there. */
export interface ArrivalView extends Arrival {
  readonly view?: ConversationView | undefined
}

/** A file with the whole output of a command. */
export interface OutputFile {
  /** In bytes, when it was opened. */
  readonly size: number
  /** Reads bytes from `at` on: `length` of them, or fewer at the end, and none once it cannot be read any more. */
  read(at: number, length: number): Uint8Array
  close(): void
}

/** Reads and sets how much the current model thinks. */
export interface ThinkingControl<Applied = void> {
  /** Returns the level in use; `undefined` if the server decides. */
  level(): ThinkingLevel | undefined
  /** Returns the levels that the model takes; `undefined` if that is not known. */
  levels(): readonly ThinkingLevel[] | undefined
  /** Applies from the next round on. Throws as `Conversation.setThinking`. */
  set(level: ThinkingLevel): Applied
}

/** The files of the folder that a conversation works in, by their paths in it, with `/` between names. */
export interface WorkspaceFiles {
  /** Yields the files that no ignore file leaves out, in no order. Throws `not_found`, `permission`, `aborted`. */
  list(signal: AbortSignal): AsyncIterable<string>
  /** Returns the files among these, last changed first. Throws `aborted`. */
  newest(paths: readonly string[], signal: AbortSignal): Promise<readonly string[]>
  /** Returns the path in the folder of a file that is named in any way; `undefined` for one elsewhere. */
  nameOf(path: string): string | undefined
}

/** The program and the place that a conversation is in. */
export interface EnvironmentInfo {
  readonly version: string
  /** The working folder, below the home folder with `~`. Absent: it is on another machine. */
  readonly folder?: string
  /** Names of the instruction files that the model gets, the user's own first. */
  readonly instructions?: readonly string[]
  readonly isEmptyFolder?: boolean
}

/** A text, or a file with one, to show in the user's pager. */
export type Paged =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'file'; readonly path: string }

/** An image that a message can attach. */
export interface ImageFile {
  /** The path by which the message names it. */
  readonly path: string
  /** In bytes. */
  readonly size: number
}

/** Functions that the composition root gives to a front end. A command whose ability is absent does not exist. */
export interface FrontendApi {
  /** Makes a message of the user's text and the files it names. Throws `PipeError` if these cannot be read. */
  compose(text: string): UserMessage
  /**
   * Prepares what the message of a text will hold, if that takes time: call it before `compose`. Resolves with a note for the user, and
   * once it has, returns `undefined`. Throws `aborted`.
   */
  prepare?(text: string): Promise<string | undefined> | undefined
  /** Lists the files that a message can name. */
  readonly files?: WorkspaceFiles
  /** Lists the agents that a message can name. */
  agents?(): Promise<readonly Pick<AgentDefinition, 'name' | 'description'>[]>
  /** Whether a message can name earlier sessions. Default: it cannot. */
  readonly takesSessions?: boolean
  /** The resources of MCP servers that a message can name as `@SERVER:URI`. */
  readonly resources?: ServerResources
  /** Completes the words after a prompt of an MCP server. */
  readonly serverPrompts?: ServerPrompts
  /** Whether a name such as `mcp__SERVER__PROMPT` calls a prompt of an MCP server, which no list may show yet. */
  isServerPrompt?(name: string): boolean
  /** Checks an image that a message is to name; `undefined`: it is none. Throws `input` if the model takes it not, and `permission`. */
  image?(path: string): ImageFile | undefined
  /** Keeps the image that is on the clipboard in a file. Returns its path. Throws `input` if there is none, and `tool`. */
  clipboardImage?(): Promise<string>
  /** Keeps the bytes of an image in a file. Returns its path; `undefined` if they are no image. Throws `tool`. */
  keepImage?(bytes: Uint8Array): Promise<string | undefined>
  /** Returns why the user should look at a text once more before it is sent, such as a missing file. Default: nothing does. */
  objection?(text: string): string | undefined
  /** Explains why a turn did not do what was asked. */
  complaint(ending: Ending): PipeError | undefined
  branch(): string | undefined
  /** Finds how calls of a tool look. Default: all alike. */
  readonly look?: FindLook
  /** Returns the facts that the head of a conversation shows. */
  environment?(): EnvironmentInfo
  /** Returns the context size of a `provider/model` in tokens. */
  contextWindow?(model: string): number | undefined
  /** Returns the current `provider/model`, which the first message may have decided. */
  model?(): string
  /** Changes the model from the next round on. Returns its `provider/model`. Throws `PipeError` if it cannot be used. */
  chooseModel?(text: string): Promise<string>
  /** Lists the models to choose from, in parts as they are found: usable ones first, `current` always. Throws `config`, `aborted`. */
  models?(signal: AbortSignal, current?: string): AsyncIterable<readonly OfferedModel[]>
  /** Lists the few models that the user works with, as `chooseModel` takes them: those of the settings, then one of each provider. */
  usualModels?(): Promise<readonly string[]>
  /** The thinking of the current model. */
  thinking?: ThinkingControl<Promise<void> | void>
  /** Sizes the next request by kind. Cost grows with the history. */
  contextUse?(): ContextUse
  /** Returns the mode that a word names, else `undefined`. */
  readMode(text: string): PermissionMode | undefined
  /** Returns what `setMode` would throw for this mode, as far as that is known before. */
  modeRefusal?(mode: PermissionMode): PipeError | undefined
  /** Sets the mode. Returns a note for the user. */
  setMode?(mode: PermissionMode): Promise<string | undefined>
  /** Describes the permission mode and the rules in force, and where each comes from. */
  permissions?(): Promise<string>
  /** Describes how the MCP servers stand. `name` is started anew before. Throws `input`, `aborted`. */
  toolServers?(name: string | undefined, signal: AbortSignal): Promise<string>
  /** Describes the hooks by their events, and how they last ended. */
  hooks?(): Promise<string>
  /** Returns what the hooks that run now do, in the words of their authors; `undefined` if none says. */
  hookWork?(): string | undefined
  /** Describes the skills of the folder and of the user, and what of them cannot be used. */
  skillReport?(): Promise<string>
  /** Describes the agents that work can be given to, and what of them cannot be used. */
  agentReport?(): Promise<string>
  /** Describes how the conversation stands: its session, model, mode, folder, servers, context and cost. */
  statusReport?(): Promise<string>
  /**
   * Runs the user's command for the status and returns what it wrote; `undefined` without one. Throws `tool` if it fails or takes too
   * long, `aborted`.
   */
  statusLine?(options: {
    readonly columns: number
    readonly signal: AbortSignal
  }): Promise<string> | undefined
  /** The user's settings. */
  readonly settings?: SettingActions
  /** Returns the report of `pipe doctor`. Throws `aborted`. */
  doctor?(signal: AbortSignal): Promise<string>
  /** Keeps a theme in the user's settings: `auto` or the name of one. Returns a note that says where. */
  saveTheme?(theme: string): Promise<string>
  /** Opens the keys of providers. Throws `config`. */
  keys?(): Promise<KeyStore>
  /** Lists the prompts that are commands of this folder and of the user. */
  prompts?(): readonly OwnPrompt[]
  /** Names the commands of `pipe` that a shell runs. Default: the errors point to none. */
  readonly shellCommands?: readonly string[]
  /** Leaves unknown commands to the taker of the messages, which refuses them. Default: `prompts` lists all commands. */
  readonly knowsNoPrompts?: true
  background?: BackgroundCommands
  /**
   * Returns the question to ask before anything is sent from this folder, or before this text is: a link of the project may lead what it
   * names outside. `undefined` if none is open.
   */
  trustQuestion?(text?: string): Interaction | undefined
  /** Applies the answer to it and returns a note on the result. Throws `PipeError` if it cannot be saved, and for a no to a text. */
  answerTrust?(response: InteractionResponse): Promise<string>
  /** Whether that answer approved what starts only with a new conversation, and nothing was said in this one yet. */
  startsAnew?(): boolean
  /**
   * Restores the files from before the last turn that changed some, or redoes its changes; returns a report. Throws `aborted` if
   * the signal fires before any file is changed; after that it ignores the signal.
   */
  undo?(options: UndoRequest): Promise<string>
  /** Returns the title of this conversation, as lists show it; `undefined` before the first message. */
  title?(): string | undefined
  /** Gives this conversation a title and returns it as it is kept. Throws `input` if nothing is saved. */
  rename?(title: string): Promise<string>
  /** Searches the messages of all conversations; returns a report. Throws `aborted`. */
  recall?(words: string, signal: AbortSignal): Promise<string>
  /** Keeps a text for later conversations, and tells the model; returns a report. Throws `invalid`, and as `Memories.keep`. */
  remember?(text: string, scope: MemoryScope): Promise<string>
  /** Closes this conversation and starts a new one. */
  newConversation?(): Promise<ConversationView>
  /** Returns what closes this conversation and opens a copy of it. Throws `input` if nothing is saved, and changes nothing then. */
  fork?(): Promise<() => Promise<ConversationView>>
  /** Finds a conversation by its id, a prefix or its title. Throws `input` unless exactly one is meant. Default: `openConversation` says so. */
  findConversation?(text: string): Promise<string>
  /** Closes this conversation and opens one by its id or a prefix of it. */
  openConversation?(id: string): Promise<ConversationView>
  /** Lists the sessions of this folder, newest first. One that cannot be read has a fault. */
  sessions?(): AsyncIterable<SessionSummary>
  /** Lists those of other folders, the ones of the same repository first, each newest first. */
  sessionsElsewhere?(): AsyncIterable<SessionElsewhere>
  /** Reads what tells a session from others. */
  sessionPreview?: ReadPreview
  /** Lists the messages of all branches as a tree. */
  messageTree?(): Promise<readonly TreeMessage[]>
  /**
   * Goes to a message: before it if the user wrote it, else behind it and its results. The branch that is left stays in the session.
   * Throws `input`, `conflict` while a turn runs, `aborted`, and the errors of a summary that fails.
   */
  goTo?(message: MessageId, options: GoToOptions): Promise<ArrivalView>
  /**
   * Writes the conversation to a new file, in the format of its ending; returns a report. Default: a page in the working folder. Throws
   * `PipeError` if it cannot be written.
   */
  exportConversation?(file: string | undefined): Promise<string>
  /**
   * Returns a unified diff of the files that the last turn changed, or all turns. `undefined` if it is not known, such as while the turn
   * runs. Throws `aborted`.
   */
  changes?(options: { readonly isAll: boolean; readonly signal: AbortSignal }): Promise<string | undefined>
  /** Opens a file that a command's output was too long for. Throws `PipeError` if it is gone, or no file of pipe's own. */
  openOutput?(path: string): Promise<OutputFile>
  /** Shows it in the user's own pager, which takes the terminal until it ends. Throws `tool` if it fails. */
  page?(paged: Paged): Promise<void>
  /** Lets the user edit a text in their editor; that of the file `path` comes back to the last byte. Throws `PipeError` if that fails. */
  editText?(text: string, path?: string): Promise<string>
  /**
   * Runs a command of the user's own: nobody judges it and no sandbox holds it. Yields its output and returns how it ended. The next
   * message tells the model of it. Throws `tool` if it cannot start, and `aborted`.
   */
  runShell?(command: string, signal: AbortSignal): AsyncGenerator<ShellOutput, ShellEnd, undefined>
  /** The messages that the user wrote in this folder before. */
  pastPrompts?: PastPrompts
  /** The board of tasks. */
  tasks?: TaskActions
  /** Stops an elf of the open conversation by its name. Does nothing if it has ended. */
  stopElf?(name: string): void | Promise<void>
}
