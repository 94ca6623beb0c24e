import type { Clock } from '../../clock.ts'
import type { FrontendApi } from '../../frontend/conversation-view.ts'
import type { TaskId } from '../../id.ts'
import type { InteractionResponse } from '../../interaction.ts'
import type { Store } from '../store.ts'
import type { Panel, Verb } from './panel.ts'
import { TaskBadge } from './task-badge.ts'
import { TaskPanel } from './task-panel.ts'

export interface PanelsOptions {
  readonly store: Store
  readonly clock: Clock
  readonly api: FrontendApi
  readonly note: (text: string) => void
  /** Runs work in the background and shows its `PipeError`. */
  readonly attempt: (act: () => Promise<void>) => void
  /** Fires when the screen closes. */
  readonly signal: AbortSignal
}

/** Opens the lists that take the place of the prompt, and does what their keys ask for. */
export class Panels {
  readonly #options: PanelsOptions
  readonly #badge: TaskBadge | undefined
  readonly #tasks: TaskPanel | undefined

  constructor(options: PanelsOptions) {
    this.#options = options
    const { tasks: actions } = options.api
    if (actions === undefined) return
    const badge = new TaskBadge({ ...options, actions })
    this.#badge = badge
    this.#tasks = new TaskPanel({ ...options, actions, onTasks: () => badge.start() })
  }

  /** Begins to watch for tasks that ask. */
  start(): void {
    this.#badge?.start()
  }

  openElves(): void {
    this.#show({ type: 'elves', focus: 0, page: undefined, confirming: undefined })
  }

  openTasks(): void {
    this.#tasks?.open()
  }

  /** Puts a task on the board. Throws what `TaskActions.add` throws. */
  async addTask(text: string): Promise<void> {
    await this.#tasks?.add(text)
  }

  /** Acts on the focused row of the open panel. Throws what the act throws. */
  async use(verb: Verb): Promise<void> {
    const { store, api } = this.#options
    const { panel, elves } = store.screen
    if (panel?.type !== 'elves') return this.#tasks?.use(verb)
    const elf = elves[panel.focus]
    if (verb === 'open') this.#show({ ...panel, page: { type: 'details', offset: 0 } })
    if (verb !== 'stop') return
    this.#show({ ...panel, confirming: undefined })
    if (elf !== undefined) await api.stopElf?.(elf.start.name)
  }

  /** Answers the question of a task. Throws what `TaskActions.answer` throws. */
  async answer(task: TaskId, response: InteractionResponse): Promise<void> {
    await this.#tasks?.answer(task, response)
  }

  close(): void {
    this.#tasks?.close()
    this.#show(undefined)
  }

  #show(panel: Panel | undefined): void {
    this.#options.store.dispatch({ type: 'panel', panel })
  }
}
