import type {
  AgentContext,
  ClientCapabilities,
  ContentBlock,
  StopReason as EditorStopReason,
  SessionConfigOption,
  SessionUpdate,
} from '@agentclientprotocol/sdk'
import { localUser } from '../actor.ts'
import { followTurns, type TurnStart } from '../agent/conversation/follow-turns.ts'
import { WatchedQuestions } from '../agent/conversation/watched-questions.ts'
import type { Clock } from '../clock.ts'
import type { Ending, Watched } from '../conversation.ts'
import { PipeError } from '../error.ts'
import type { OfferedModel } from '../frontend/offered-model.ts'
import type { OwnPrompt } from '../frontend/own-prompt.ts'
import { compactOffer, readCompact } from '../frontend/slash/compact-call.ts'
import { thinkingLevels } from '../model.ts'
import { printable } from '../terminal/printable.ts'
import { CallWords } from './call-words.ts'
import { configOptions, findMode, modeState } from './config-options.ts'
import type { EditorBackend, EditorConversation } from './editor-backend.ts'
import { type EditorCall, EditorQuestions } from './editor-questions.ts'
import { readEditorPrompt, withBlocks } from './prompt-parts.ts'
import { replayed } from './replayed.ts'
import { TurnUpdates } from './turn-updates.ts'

export interface EditorSessionOptions {
  readonly id: string
  readonly cwd: string
  readonly client: AgentContext
  readonly capabilities: ClientCapabilities
  readonly factsOf: EditorBackend['factsOf']
  readonly models: readonly OfferedModel[]
  readonly clock: Clock
  /** Takes a line for whoever reads the editor's log. */
  readonly report: (line: string) => void
}

/** One conversation of an editor. Closes it. */
export class EditorSession {
  readonly #conversation: EditorConversation
  readonly #options: EditorSessionOptions
  readonly #facts: CallWords
  readonly #updates: TurnUpdates
  readonly #questions: EditorQuestions
  readonly #calls = new Map<string, EditorCall>()
  /** The call that asks each open question. */
  readonly #askedBy = new Map<string, string>()
  #stop: AbortController | undefined
  #toldTitle: string | undefined

  constructor(conversation: EditorConversation, options: EditorSessionOptions) {
    const { client, capabilities, clock, id: sessionId } = options
    this.#conversation = conversation
    this.#options = options
    this.#facts = new CallWords(options.cwd, options.factsOf)
    this.#updates = new TurnUpdates({
      facts: this.#facts,
      clock,
      hasNotices: this.#hasNotices,
      usage: () => this.#usage(),
    })
    this.#questions = new EditorQuestions({
      client,
      sessionId,
      capabilities,
      facts: this.#facts,
      answeredBy: localUser,
      callOf: (question) => this.#calls.get(this.#askedBy.get(question.id) ?? ''),
    })
  }

  get #hasNotices(): boolean {
    return this.#options.capabilities.session?.notices != null
  }

  get id(): string {
    return this.#options.id
  }

  get modes() {
    return modeState(this.#conversation.settings.mode)
  }

  get configOptions(): SessionConfigOption[] {
    const { settings, thinking } = this.#conversation
    return configOptions({ settings, thinking, models: this.#options.models })
  }

  /** Shows the earlier messages. */
  replay(): void {
    for (const update of replayed(this.#conversation.messages, this.#facts)) this.#tell(update)
  }

  /** Tells the slash commands, and what was skipped or is wrong: an editor without notices gets that on stderr. */
  tellCommands(): void {
    const { report } = this.#options
    const offered: readonly Pick<OwnPrompt, 'name' | 'description' | 'hint'>[] = [compactOffer, ...this.#own]
    const availableCommands = offered.map(({ name, description, hint }) => ({
      name,
      description,
      ...(hint !== undefined && { input: { hint } }),
    }))
    this.#tell({ sessionUpdate: 'available_commands_update', availableCommands })
    for (const warning of this.#conversation.warnings) {
      if (this.#hasNotices)
        this.#tell({ sessionUpdate: 'notice', severity: 'warning', title: printable(warning) })
      else report(warning)
    }
  }

  /** Runs a turn. Throws `conflict` while another runs, and the turn's error. */
  async prompt(prompt: readonly ContentBlock[], signal: AbortSignal): Promise<EditorStopReason> {
    if (this.#stop !== undefined)
      throw new PipeError('conflict', 'a prompt is already running in this session')
    const stop = new AbortController()
    this.#stop = stop
    const questions = new WatchedQuestions(this.#conversation, (question, asked) =>
      this.#questions.ask(question, asked.signal),
    )
    try {
      const ending = await followTurns(this.#conversation, this.#startOf(prompt), {
        signal: AbortSignal.any([stop.signal, signal]),
        onWatched: (watched) => this.#see(watched, questions),
      })
      return stopReasonOf(ending, stop.signal)
    } finally {
      questions.close()
      this.#calls.clear()
      this.#askedBy.clear()
      this.#stop = undefined
      this.#tellTitle()
    }
  }

  /** The commands of the user, without one that has the name of pipe's own. */
  get #own(): readonly OwnPrompt[] {
    return this.#conversation.commands().filter(({ name }) => name !== compactOffer.name)
  }

  #startOf(prompt: readonly ContentBlock[]): TurnStart {
    const { text, blocks } = readEditorPrompt(prompt, this.#own)
    const compact = readCompact(text)
    if (compact === undefined) return withBlocks(this.#conversation.compose(text), blocks)
    if (prompt.some(({ type }) => type !== 'text'))
      throw new PipeError('invalid', '/compact takes no attached files: send it alone')
    return compact
  }

  /** Ends the running turn, if there is one. */
  cancel(): void {
    this.#stop?.abort()
  }

  /** Throws `invalid`. */
  async setMode(id: unknown): Promise<void> {
    const mode = findMode(id)
    if (mode === undefined) throw new PipeError('invalid', `there is no mode ${JSON.stringify(id)}`)
    await this.#conversation.setMode(mode)
    this.#tell({ sessionUpdate: 'config_option_update', configOptions: this.configOptions })
  }

  /** Throws `invalid`, `usage`, `config`, `auth`. */
  async configure(id: string, value: unknown): Promise<void> {
    if (id === 'mode') await this.#setModeOption(value)
    else if (id === 'model' && typeof value === 'string') await this.#conversation.setModel(value)
    else if (id === 'thinking') this.#setThinking(value)
    else throw new PipeError('invalid', `there is no option ${id}`)
  }

  /** Ends the running turn and closes the conversation. */
  async close(): Promise<void> {
    this.cancel()
    await this.#conversation.close()
  }

  async #setModeOption(value: unknown): Promise<void> {
    await this.setMode(value)
    this.#tell({ sessionUpdate: 'current_mode_update', currentModeId: this.#conversation.settings.mode })
  }

  #setThinking(value: unknown): void {
    const level = thinkingLevels.find((one) => one === value)
    const { thinking } = this.#conversation
    if (level === undefined || thinking.levels()?.includes(level) !== true)
      throw new PipeError('invalid', `this model has no thinking level ${JSON.stringify(value)}`)
    thinking.set(level)
  }

  #see(watched: Watched, questions: WatchedQuestions): void {
    if (watched.type === 'event' && watched.isOwn) {
      const { event } = watched
      if (event.type === 'round_start') this.#tellTitle()
      if (event.type === 'tool_start') this.#calls.set(event.callId, event)
      if (event.type === 'interaction_requested' && event.callId !== undefined)
        this.#askedBy.set(event.interaction.id, event.callId)
    }
    for (const update of this.#updates.of(watched)) this.#tell(update)
    questions.see(watched)
    if (questions.failure !== undefined) throw questions.failure.error
  }

  #usage(): SessionUpdate | undefined {
    const { tokens: used, window: size } = this.#conversation.contextUse()
    if (size === undefined) return undefined
    const amount = this.#conversation.costUsd
    return {
      sessionUpdate: 'usage_update',
      used,
      size,
      ...(amount !== undefined && { cost: { amount, currency: 'USD' } }),
    }
  }

  #tellTitle(): void {
    const title = this.#conversation.title()
    if (title === undefined || title === this.#toldTitle) return
    this.#toldTitle = title
    this.#tell({ sessionUpdate: 'session_info_update', title })
  }

  /** An editor that is gone ends the connection, which closes the session. */
  #tell(update: SessionUpdate): void {
    const { client, id: sessionId } = this.#options
    client.notify('session/update', { sessionId, update }).catch(() => this.cancel())
  }
}

/** Throws the error of a turn that failed for another reason than a limit or a cancellation. */
function stopReasonOf({ stopReason, error }: Ending, cancelled: AbortSignal): EditorStopReason {
  if (cancelled.aborted || stopReason === 'aborted') return 'cancelled'
  if (error?.code === 'turn_limit') return 'max_turn_requests'
  if (error?.code === 'refused' || stopReason === 'refusal') return 'refusal'
  if (error?.code === 'length' || stopReason === 'length') return 'max_tokens'
  if (error !== undefined) throw error
  return 'end_turn'
}
