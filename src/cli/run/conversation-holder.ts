import type { Driver } from '../../agent/conversation/driver.ts'
import { readBranch } from '../../config/git-head.ts'
import { readPermissionMode } from '../../config/permission-mode.ts'
import type { Settings } from '../../config/settings.ts'
import type { GoToOptions } from '../../conversation.ts'
import { workspaceFiles } from '../../files/walk/workspace-files.ts'
import type { ArrivalView, ConversationView, FrontendApi } from '../../frontend/conversation-view.ts'
import type { OwnPrompt } from '../../frontend/own-prompt.ts'
import type { TaskActions } from '../../frontend/task-actions.ts'
import type { MessageId } from '../../id.ts'
import { faultOf } from '../../line/outcome.ts'
import { byWordsAlone, describeRecall, nothingFound } from '../../memory/recalled.ts'
import type { Message, UserMessage } from '../../message.ts'
import type { PermissionMode } from '../../permission.ts'
import type { SessionChoice } from '../../session.ts'
import type { Machine } from '../machine.ts'
import { subcommands } from '../subcommands.ts'
import { thinkingOf } from '../wiring/model/model-controls.ts'
import type { Choices } from '../wiring/run-choices.ts'
import { findSession } from '../wiring/session/found-session.ts'
import { requireSaved } from '../wiring/session/saved-session.ts'
import { conversationsElsewhere } from '../wiring/session/sessions-elsewhere.ts'
import { conversationsIn } from '../wiring/session/sessions-in.ts'
import { openSessions } from '../wiring/session-records.ts'
import { lookOf } from '../wiring/tools/known-tools.ts'
import type { Wired } from '../wiring/wired.ts'
import { wire } from '../wiring/wiring.ts'
import { openChildren } from './child-conversation.ts'
import { driveWired } from './driven.ts'
import { listMessageTree } from './go-to.ts'
import { openImage } from './message/image-file.ts'
import { createComposer } from './message/message-composer.ts'
import { objectionTo } from './message/objection.ts'
import { serverCommands, writtenCommands } from './message/own-commands.ts'
import { prepareMessage } from './message/prepare-message.ts'
import { FollowedLinks } from './message/project-link.ts'
import { withModelNote } from './message/run-prompt.ts'
import { nameConversation } from './named-conversation.ts'
import { backgroundCommands } from './screen/background-processes.ts'
import { environmentInfo, instructionNotes } from './screen/environment-info.ts'
import { keepText } from './screen/keep-text.ts'
import { serverPrompts, serverResources } from './screen/wired-resources.ts'
import { createTaskActions } from './tasks/stored-task-actions.ts'

/** The caller's choices for a run, and the files for its first message. */
export interface OpenOptions {
  readonly choices: Choices
  /** Attached to the first message. */
  readonly files: readonly string[]
  /** Told at the head of the first conversation. */
  readonly hints: readonly string[]
}

/** Holds the open conversation and switches to others. */
export class ConversationHolder {
  readonly #machine: Machine
  /** For the conversations opened later. */
  readonly #choices: Choices
  #wired: Wired
  /** The mode of the settings. One that the user chose since goes with them to other conversations. */
  #usualMode: PermissionMode
  #conversation: Driver
  readonly #tasks: TaskActions
  readonly #links: FollowedLinks
  #compose: (prompt: string) => UserMessage
  #known: { readonly prompts: readonly OwnPrompt[]; readonly at: number } | undefined
  /** Whether the user was asked about this folder. The answer holds for every conversation of this run. */
  #isAdmitted = false
  #hints: readonly string[]
  /** Notes about instruction files for the head of the screen, read once a conversation. */
  #instructions: ReturnType<typeof instructionNotes> | undefined
  /** Commands of the user that the model does not know of yet. */
  readonly #ran: string[] = []

  constructor(machine: Machine, { choices, files, hints }: OpenOptions, wired: Wired) {
    this.#machine = machine
    this.#choices = choices
    this.#hints = hints
    this.#wired = wired
    this.#usualMode = wired.policy.mode
    this.#conversation = driveWired(wired, { machine })
    this.#tasks = createTaskActions(machine)
    this.#links = new FollowedLinks(machine, files)
    this.#compose = this.#composer(files)
  }

  /** The messages of the turns that were undone. */
  get undone(): ReadonlySet<Message> {
    return this.#wired.fileTurns.undone
  }

  view(): ConversationView & { readonly conversation: Driver } {
    const { sessionId, model, policy, agent, warnings, notices, peerSettings } = this.#wired
    this.#instructions ??= instructionNotes(this.#machine, this.#wired)
    const told = {
      warnings: [...warnings, ...this.#instructions.warnings],
      notices: [...notices, ...this.#hints, ...peerSettings.taken, ...this.#instructions.notices],
    }
    const { id: agentId } = this.#wired.conversation.engine
    return {
      conversation: this.#conversation,
      agentId,
      sessionId,
      model: model(),
      mode: policy.mode,
      agent,
      ...told,
    }
  }

  /** The parts of the open conversation, for reports. */
  get wired(): Wired {
    return this.#wired
  }

  /** The user's settings of the screen. */
  get tui(): Settings['tui'] {
    return this.#wired.tui
  }

  api(signal: AbortSignal) {
    const stored = () => ({ store: openSessions(this.#machine), signal })
    return {
      look: lookOf,
      branch: () => readBranch(this.#machine.cwd),
      files: workspaceFiles(this.#machine.cwd),
      agents: async () => (await this.#wired.agents?.()) ?? [],
      takesSessions: true,
      shellCommands: subcommands,
      isServerPrompt: (name) => this.#wired.servers?.promptOwner(name) !== undefined,
      resources: serverResources(() => this.#wired.servers),
      serverPrompts: serverPrompts(() => this.#wired.servers),
      environment: () => environmentInfo(this.#machine, this.#wired),
      image: (path) => {
        const { mayRead, blindModel } = this.#wired
        return openImage(path, { cwd: this.#machine.cwd, home: this.#machine.home, mayRead, blindModel })
      },
      objection: (text) =>
        objectionTo(text, {
          cwd: this.#machine.cwd,
          home: this.#machine.home,
          blindModel: () => this.#wired.blindModel(),
        }),
      complaint: faultOf,
      compose: (text) => {
        const message = this.#compose(text)
        const ran = this.#ran.splice(0)
        return withModelNote(message, ran.length === 0 ? undefined : ran.join('\n\n'))
      },
      runShell: (command, stop) => this.#runShell(command, AbortSignal.any([signal, stop])),
      prepare: (text) => prepareMessage(text, this.#wired, signal),
      trustQuestion: (text) =>
        (this.#isAdmitted ? undefined : this.#wired.trust.question()) ??
        (text === undefined ? undefined : this.#links.question(text)),
      answerTrust: async (response) => {
        if (this.#links.isAsked(response)) return this.#links.answer(response)
        this.#isAdmitted = true
        const told = await this.#wired.trust.answer(response)
        const isLate = this.#wired.trust.startsAnew && !this.#isFresh
        return isLate ? `${told}; its servers and hooks run from the next conversation` : told
      },
      startsAnew: () => this.#wired.trust.startsAnew && this.#isFresh,
      undo: (wanted) =>
        this.#conversation.alone(() =>
          this.#wired.fileTurns.turnBack({ ...wanted, signal: AbortSignal.any([signal, wanted.signal]) }),
        ),
      contextWindow: (model) => this.#wired.contextWindow(model),
      model: () => this.#wired.model(),
      hookWork: () => this.#wired.hookWork(),
      chooseModel: (text) => this.#conversation.setModel(text),
      thinking: {
        ...thinkingOf(() => this.#wired),
        set: (level) => this.#conversation.setThinking(level),
      },
      prompts: () => this.#prompts(),
      background: backgroundCommands(() => this.#wired.processes.list()),
      contextUse: () => this.#conversation.contextUse(),
      readMode: readPermissionMode,
      modeRefusal: (mode) => this.#wired.modeRefusal(mode),
      setMode: (mode) => this.#conversation.setMode(mode),
      title: () => this.#wired.conversation.title,
      rename: (title) => nameConversation(title, this.#wired),
      recall: (words, stop) => this.#recall(words, AbortSignal.any([signal, stop])),
      remember: (text, scope) => keepText(text, scope, { ...this.#wired, signal }),
      newConversation: () => this.#begin(signal),
      fork: async () => {
        const id = await requireSaved(this.#wired.sessionId, 'copied', { machine: this.#machine, signal })
        return () => this.#move({ type: 'fork', id }, signal)
      },
      findConversation: (text) => findSession(text, stored()),
      openConversation: (id) => this.#move({ type: 'resume', id }, signal),
      sessions: () => conversationsIn(this.#machine.cwd, stored()),
      sessionsElsewhere: () => conversationsElsewhere(this.#machine, stored()),
      messageTree: () => listMessageTree({ machine: this.#machine, wired: this.#wired, signal }),
      goTo: (message, options) =>
        this.#goTo(message, { ...options, signal: AbortSignal.any([signal, options.signal]) }),
      exportConversation: async (file) => {
        const { exportOpen } = await import('../wiring/session/session-export.ts')
        return exportOpen({ machine: this.#machine, session: this.#wired.sessionId, file, signal })
      },
      changes: async ({ isAll, signal: stop }) => {
        const either = AbortSignal.any([signal, stop])
        return (await this.#wired.fileTurns.diff({ turns: isAll ? 'all' : 1, signal: either }))?.text
      },
      page: async (paged) => (await import('./screen/pager.ts')).showInPager(paged, this.#machine),
      openOutput: async (path) => (await import('../../files/writing/output-file.ts')).openOutputFile(path),
      tasks: this.#tasks,
    } satisfies FrontendApi
  }

  #composer(files: readonly string[] = []): (prompt: string) => UserMessage {
    return createComposer({ ...this.#wired, mayFollow: this.#links.mayFollow }, files, this.#machine)
  }

  async *#runShell(command: string, signal: AbortSignal): ReturnType<NonNullable<FrontendApi['runShell']>> {
    const { runUserShell } = await import('./screen/user-shell.ts')
    const tell = (note: string) => void this.#ran.push(note)
    return yield* runUserShell(command, { machine: this.#machine, files: this.#wired.files, signal, tell })
  }

  close(): Promise<void> {
    return this.#conversation.close()
  }

  async #goTo(message: MessageId, options: GoToOptions): Promise<ArrivalView> {
    const arrival = await this.#conversation.goTo(message, options)
    if (options.what === 'files') return arrival
    this.#compose = this.#composer()
    return { ...arrival, view: this.view() }
  }

  /** Reads the prompts in files again once they may have changed: a list asks at every key. */
  #prompts(): readonly OwnPrompt[] {
    const at = this.#machine.clock.monotonic()
    if (this.#known === undefined || at - this.#known.at > promptsMs)
      this.#known = { prompts: writtenCommands(this.#wired, this.#machine), at }
    return [...this.#known.prompts, ...serverCommands(this.#wired)]
  }

  async #recall(words: string, signal: AbortSignal): Promise<string> {
    const { recall, sessionId } = this.#wired
    if (recall === undefined) return nothingFound(words)
    const query = { words, limit: mostRecalled, except: sessionId }
    const found = await (await recall.open()).search(query, { signal })
    const shown = describeRecall(found, words)
    return found.lack?.isFailure === true ? `${byWordsAlone(found.lack)}\n${shown}` : shown
  }

  /** Whether nothing was said in the conversation yet. */
  get #isFresh(): boolean {
    return this.#conversation.messages.length === 0
  }

  /** Begins anew. A conversation in which nothing was said yet passes on the model that the user chose in it. */
  async #begin(signal: AbortSignal): Promise<ConversationView> {
    const chosen = this.#isFresh ? this.#wired.model() : undefined
    await this.#move({ type: 'new', isCleared: true }, signal)
    if (chosen !== undefined && chosen !== this.#wired.model()) await this.#conversation.setModel(chosen)
    return this.view()
  }

  /** Opens another conversation before it closes this one, so that a failure changes nothing. */
  async #move(session: SessionChoice, signal: AbortSignal): Promise<ConversationView> {
    const next = await wire({
      machine: this.#machine,
      choices: { ...this.#choices, session },
      children: openChildren,
      signal,
    })
    this.#ran.length = 0
    this.#hints = []
    this.#instructions = undefined
    const { mode } = this.#wired.policy
    const isChosen = mode !== this.#usualMode
    this.#usualMode = next.policy.mode
    if (isChosen && next.modeRefusal(mode) === undefined) next.policy.mode = mode
    await this.#conversation.close()
    this.#wired = next
    this.#conversation = driveWired(next, { machine: this.#machine })
    this.#compose = this.#composer()
    return this.view()
  }
}

/** Time in ms for which the prompts on disk count as unchanged. */
const promptsMs = 1_000

/** Sessions that `/recall` shows. */
const mostRecalled = 5
