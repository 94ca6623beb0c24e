import { oneLine } from '../../characters/one-line.ts'
import type { Clock } from '../../clock.ts'
import { isPipeError, unreachable } from '../../error.ts'
import type { TaskActions } from '../../frontend/task-actions.ts'
import { byNeed, countTasks } from '../../frontend/task-order.ts'
import type { TaskId } from '../../id.ts'
import type { InteractionResponse } from '../../interaction.ts'
import type { TaskView } from '../../task.ts'
import { printable } from '../../terminal/printable.ts'
import { cleanQuestion } from '../clean.ts'
import { isOfTask } from '../question/asked-question.ts'
import type { DrawContent } from '../question/question-content.ts'
import type { Store } from '../store.ts'
import { tickUntil } from '../tick.ts'
import type { Page, TaskList, Verb } from './panel.ts'
import { detailsPage, diffPage, notePage } from './task-page.ts'

export interface TaskPanelOptions {
  readonly store: Store
  readonly clock: Clock
  readonly actions: TaskActions
  readonly note: (text: string) => void
  /** Runs work in the background and shows its `PipeError`. */
  readonly attempt: (act: () => Promise<void>) => void
  /** Called when there may be tasks. */
  readonly onTasks: () => void
  /** Fires when the screen closes. */
  readonly signal: AbortSignal
}

/** Shows the board of tasks while it is open, and does what its keys ask for. */
export class TaskPanel {
  readonly #options: TaskPanelOptions
  readonly #tasks = new Map<TaskId, TaskView>()
  #closing = new AbortController()

  constructor(options: TaskPanelOptions) {
    this.#options = options
  }

  /** Puts a task on the board. Throws `usage`, and what the store throws. */
  async add(text: string): Promise<void> {
    const { actions, note, onTasks, signal } = this.#options
    const { taskId, title } = await actions.add(text, signal)
    note(`task ${taskId} is on the board: ${title}`)
    onTasks()
  }

  /** Opens the board and follows it. */
  open(): void {
    const { store, clock, actions, attempt, onTasks } = this.#options
    onTasks()
    this.close()
    this.#closing = new AbortController()
    const signal = AbortSignal.any([this.#closing.signal, this.#options.signal])
    const epoch = clock.now() - clock.monotonic()
    store.dispatch({ type: 'tick', now: clock.monotonic() })
    const position = { focus: 0, page: undefined, confirming: undefined }
    this.#show({
      type: 'tasks',
      tasks: [],
      summary: '',
      isLoading: true,
      epoch,
      verbs: verbsOf(actions),
      ...position,
    })
    attempt(() => this.#follow(signal))
    attempt(() => tickUntil(signal, { store, clock }))
  }

  close(): void {
    this.#closing.abort()
    this.#tasks.clear()
    if (this.#list !== undefined) this.#show(undefined)
  }

  /** Acts on the focused task. */
  async use(verb: Verb): Promise<void> {
    const { actions, note, signal } = this.#options
    const list = this.#list
    const task = list?.tasks[list.focus]
    if (list === undefined || task === undefined) return
    this.#show({ ...list, confirming: undefined })
    switch (verb) {
      case 'open':
        return this.#openPage(task, 'details', async () =>
          detailsPage(task, await actions.details(task.taskId, signal)),
        )
      case 'diff':
        return this.#openPage(task, 'diff', async () =>
          diffPage((await actions.diff?.(task.taskId, signal)) ?? ''),
        )
      case 'apply': {
        const report = await actions.apply?.(task.taskId, signal)
        return report === undefined ? undefined : note(report)
      }
      case 'cancel':
        return actions.cancel(task.taskId, signal)
      case 'answer':
        await Promise.all([this.#ask(task), this.use('open')])
        return
      case 'stop':
        return
      default:
        return unreachable(verb)
    }
  }

  /** Answers the shown question of a task. A cancelled answer leaves it open. */
  async answer(id: TaskId, response: InteractionResponse): Promise<void> {
    const { store, actions, signal } = this.#options
    store.dispatch({ type: 'answered' })
    if (response.cancelled !== true) await actions.answer?.(id, response, signal)
  }

  get #list(): TaskList | undefined {
    const { panel } = this.#options.store.screen
    return panel?.type === 'tasks' ? panel : undefined
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { actions } = this.#options
    try {
      for await (const changed of actions.follow(signal)) {
        if (signal.aborted) return
        for (const task of changed) this.#tasks.set(task.taskId, task)
        this.#update(changed)
      }
    } catch (error) {
      if (isPipeError(error) && !signal.aborted) this.close()
      throw error
    }
  }

  /** Shows the tasks as they are now. The focus stays on its task, and an open page follows it. */
  #update(changed: readonly TaskView[]): void {
    const list = this.#list
    if (list === undefined) return
    const tasks = byNeed(this.#tasks.values())
    const focused = list.tasks[list.focus]?.taskId
    const focus = focused === undefined ? 0 : tasks.findIndex(({ taskId }) => taskId === focused)
    this.#show({
      ...list,
      tasks,
      summary: countTasks(tasks),
      isLoading: false,
      focus: Math.max(0, focus),
    })
    const task = changed.find(({ taskId }) => taskId === focused)
    if (task === undefined) return
    if (task.status !== 'awaiting_user') this.#withdraw(task.taskId)
    if (list.page?.type === 'details') this.#options.attempt(() => this.use('open'))
  }

  /** Opens a page at once and fills it when its content is read, unless the user has left it. Keeps the place in an open page. */
  async #openPage({ taskId }: TaskView, type: Page['type'], read: () => Promise<DrawContent>): Promise<void> {
    const isShown = ({ page, tasks, focus }: TaskList) =>
      page?.type === type && tasks[focus]?.taskId === taskId
    const before = this.#list
    if (before === undefined) return
    if (!isShown(before)) this.#show({ ...before, page: { type, draw: notePage('reading …'), offset: 0 } })
    try {
      const draw = await read()
      const list = this.#list
      if (list?.page !== undefined && isShown(list)) this.#show({ ...list, page: { ...list.page, draw } })
    } catch (error) {
      const list = this.#list
      if (list !== undefined && isShown(list)) this.#show({ ...list, page: undefined })
      throw error
    }
  }

  async #ask({ taskId, title }: TaskView): Promise<void> {
    const { store, actions, note, signal } = this.#options
    const question = await actions.question(taskId, signal)
    const isShown = store.screen.questions.some((one) => isOfTask(one, taskId))
    if (this.#list === undefined || isShown) return
    if (question === undefined) return note('the question has been answered')
    const interaction = cleanQuestion(question)
    const named = `${oneLine(printable(title), 40)}: ${interaction.display.title}`
    const display = { ...interaction.display, title: named }
    store.dispatch({
      type: 'asked',
      interaction: { ...interaction, display },
      asker: { type: 'task', id: taskId },
    })
  }

  /** Removes the question of a task that somebody else has answered. */
  #withdraw(id: TaskId): void {
    const { store, note } = this.#options
    if (!store.screen.questions.some((question) => isOfTask(question, id))) return
    store.dispatch({ type: 'withdrawn', task: id })
    note('the question has been answered elsewhere')
  }

  #show(panel: TaskList | undefined): void {
    this.#options.store.dispatch({ type: 'panel', panel })
  }
}

function verbsOf({ answer, diff, apply }: TaskActions): ReadonlySet<Verb> {
  return new Set<Verb>([
    'open',
    'cancel',
    ...(answer === undefined ? [] : (['answer'] as const)),
    ...(diff === undefined ? [] : (['diff'] as const)),
    ...(apply === undefined ? [] : (['apply'] as const)),
  ])
}
