import { readBranch } from '../../config/context.ts'
import { readPermissionMode } from '../../config/permission-mode.ts'
import type { Abilities, ConversationView } from '../../conversation-view.ts'
import { modelName } from '../../engine.ts'
import { PipeError } from '../../error.ts'
import { judgeTurn } from '../../line/outcome.ts'
import type { UserMessage } from '../../message.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { SessionChoice } from '../../session.ts'
import { describeRecall, nothingFound } from '../../text/recalled.ts'
import type { Machine } from '../machine.ts'
import type { Choices } from '../wiring/choices.ts'
import { openSessions } from '../wiring/records.ts'
import { sessionsIn } from '../wiring/session-choice.ts'
import { type Wired, wire } from '../wiring/wiring.ts'
import { createComposer } from './composer.ts'

/** Starts a run: the caller's choices, and files for the first message. */
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
  #compose: (prompt: string) => UserMessage
  /** `provider/model`, as last chosen. */
  #model: string
  /** Whether the user was asked about this folder. The answer holds for every conversation of this run. */
  #isAdmitted = false

  constructor(machine: Machine, { choices, files }: Beginning, wired: Wired) {
    this.#machine = machine
    this.#choices = choices
    this.#wired = wired
    this.#model = wired.model
    this.#compose = createComposer(wired, files, machine)
  }

  view(): ConversationView {
    const { conversation, sessionId, policy, warnings, notices } = this.#wired
    const { engine } = conversation
    return { engine, sessionId, model: this.#model, mode: policy.mode, warnings, notices }
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
      undo: (wanted) => this.#wired.undo({ ...wanted, signal: AbortSignal.any([signal, wanted.signal]) }),
      contextWindow: (model) => this.#wired.contextWindow(model),
      chooseModel: async (text) => {
        const choice = await this.#wired.openModel(text)
        this.#model = modelName(choice)
        return choice
      },
      readMode: readPermissionMode,
      setMode: (mode) => {
        this.#wired.policy.mode = mode
        return this.#wired.noteOfMode(mode)
      },
      recall: (words, stop) => this.#recall(words, AbortSignal.any([signal, stop])),
      newConversation: () => this.#move({ type: 'new' }, signal),
      openConversation: async (id) => {
        const other = id === undefined ? await this.#newestOther(signal) : { id, warnings: [] }
        const view = await this.#move({ type: 'resume', id: other.id }, signal)
        return { ...view, warnings: [...other.warnings, ...view.warnings] }
      },
    } satisfies Abilities
  }

  close(): Promise<void> {
    return this.#wired.close()
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
    const next = await wire({ machine: this.#machine, choices: { ...this.#choices, session }, signal })
    next.policy.mode = this.#wired.policy.mode
    await this.#wired.close()
    this.#wired = next
    this.#model = next.model
    this.#compose = createComposer(next, [], this.#machine)
    return this.view()
  }

  /** Finds the newest other readable conversation of this folder. Throws `input` if there is none. */
  async #newestOther(signal: AbortSignal): Promise<Other> {
    const { cwd } = this.#machine
    let unread = 0
    for await (const { id, fault } of sessionsIn(cwd, { store: openSessions(this.#machine), signal })) {
      if (fault !== undefined) unread += 1
      else if (id !== this.#wired.sessionId) return { id, warnings: skippedNote(unread) }
    }
    throw new PipeError('input', [`no other session in ${cwd}`, ...skippedNote(unread)].join('; '))
  }
}

/** Sessions that `/recall` shows. */
const mostRecalled = 5

interface Other {
  readonly id: string
  /** Warnings about skipped sessions. */
  readonly warnings: readonly string[]
}

function skippedNote(unread: number): readonly string[] {
  if (unread === 0) return []
  const sessions = unread === 1 ? '1 session that' : `${unread} sessions that`
  return [`skipped ${sessions} cannot be read: pipe sessions says why`]
}
