import { readBranch } from '../../config/context.ts'
import { readPermissionMode } from '../../config/permission-mode.ts'
import type { Abilities, Arrival, ConversationView, GoingOptions } from '../../conversation-view.ts'
import { PipeError } from '../../error.ts'
import type { MessageId } from '../../id.ts'
import { judgeTurn } from '../../line/outcome.ts'
import type { UserMessage } from '../../message.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { SessionChoice } from '../../session.ts'
import type { TaskDesk } from '../../task-desk.ts'
import { describeRecall, nothingFound } from '../../text/recalled.ts'
import { cleanTitle, namedLength } from '../../text/title.ts'
import type { Machine } from '../machine.ts'
import type { Choices } from '../wiring/choices.ts'
import { openSessions } from '../wiring/records.ts'
import { conversationsIn } from '../wiring/session-choice.ts'
import { type Wired, wire } from '../wiring/wiring.ts'
import { openChildren } from './child-conversation.ts'
import { createComposer } from './composer.ts'
import { goTo, listPlaces } from './going.ts'
import { createTaskDesk } from './task-desk.ts'

/** The caller's choices for a run, and the files for its first message. */
export interface Beginning {
  readonly choices: Choices
  /** Attached to the first message. */
  readonly files: readonly string[]
}

/** Holds the open conversation and switches to others. */
export class OpenConversation {
  readonly #machine: Machine
  /** For the conversations opened later. */
  readonly #choices: Choices
  #wired: Wired
  readonly #tasks: TaskDesk
  #compose: (prompt: string) => UserMessage
  /** Whether the user was asked about this folder. The answer holds for every conversation of this run. */
  #isAdmitted = false

  constructor(machine: Machine, { choices, files }: Beginning, wired: Wired) {
    this.#machine = machine
    this.#choices = choices
    this.#wired = wired
    this.#tasks = createTaskDesk(machine)
    this.#compose = createComposer(wired, files, machine)
  }

  view(): ConversationView {
    const { conversation, sessionId, model, policy, agent, elves, warnings, notices } = this.#wired
    const { engine } = conversation
    return { engine, sessionId, model, mode: policy.mode, agent, elves, warnings, notices }
  }

  abilities(signal: AbortSignal) {
    return {
      branch: () => readBranch(this.#machine.cwd),
      complaint: (turn) => judgeTurn(turn, undefined).error,
      compose: (text) => this.#compose(text),
      trustQuestion: () => (this.#isAdmitted ? undefined : this.#wired.trust.question()),
      answerTrust: (response) => {
        this.#isAdmitted = true
        return this.#wired.trust.answer(response)
      },
      undo: (wanted) =>
        this.#wired.fileTurns.turnBack({ ...wanted, signal: AbortSignal.any([signal, wanted.signal]) }),
      contextWindow: (model) => this.#wired.contextWindow(model),
      model: () => this.#wired.model,
      chooseModel: (text) => this.#wired.openModel(text),
      readMode: readPermissionMode,
      setMode: (mode) => {
        this.#wired.policy.mode = mode
        return this.#wired.noteOfMode(mode)
      },
      rename: (title) => this.#rename(title),
      recall: (words, stop) => this.#recall(words, AbortSignal.any([signal, stop])),
      newConversation: () => this.#move({ type: 'new' }, signal),
      openConversation: (id) => this.#move({ type: 'resume', id }, signal),
      sessions: () => conversationsIn(this.#machine.cwd, { store: openSessions(this.#machine), signal }),
      places: () => listPlaces({ machine: this.#machine, wired: this.#wired, signal }),
      goTo: (message, options) =>
        this.#goTo(message, { ...options, signal: AbortSignal.any([signal, options.signal]) }),
      exportConversation: async (file) => {
        const { exportOpen } = await import('../wiring/session-export.ts')
        return exportOpen({ machine: this.#machine, session: this.#wired.sessionId, file, signal })
      },
      tasks: this.#tasks,
      stopElf: (name) => {
        this.#wired.elves?.stop(name)
      },
    } satisfies Abilities
  }

  close(): Promise<void> {
    return this.#wired.close()
  }

  async #goTo(message: MessageId, options: GoingOptions): Promise<Arrival> {
    const arrival = await goTo(message, { ...options, machine: this.#machine, wired: this.#wired })
    if (options.what === 'files') return arrival
    this.#compose = createComposer(this.#wired, [], this.#machine)
    return { ...arrival, view: this.view() }
  }

  async #rename(text: string): Promise<string> {
    const { conversation, sessionId } = this.#wired
    if (sessionId === undefined)
      throw new PipeError('input', 'this conversation is not saved, so no list shows a title')
    const title = cleanTitle(text, namedLength)
    if (title === '') throw new PipeError('input', 'a title needs a visible character')
    await conversation.rename(title)
    return title
  }

  /** Searches all other conversations. */
  async #recall(words: string, signal: AbortSignal): Promise<string> {
    const { recall, sessionId } = this.#wired
    if (recall === undefined) return nothingFound(words)
    const query = { words, limit: mostRecalled, ...omitUndefined({ except: sessionId }) }
    return describeRecall(await (await recall.open()).search(query, { signal }), words)
  }

  /** Opens another conversation before it closes this one, so that a failure changes nothing. */
  async #move(session: SessionChoice, signal: AbortSignal): Promise<ConversationView> {
    const next = await wire({
      machine: this.#machine,
      choices: { ...this.#choices, session },
      children: openChildren,
      signal,
    })
    next.policy.mode = this.#wired.policy.mode
    await this.#wired.close()
    this.#wired = next
    this.#compose = createComposer(next, [], this.#machine)
    return this.view()
  }
}

/** Sessions that `/recall` shows. */
const mostRecalled = 5
