import type { Clock } from '../clock.ts'
import { hasCode, PipeError } from '../error.ts'
import type { EventStore, StoredEvent, TaskClaim, TaskClaims } from '../event-store.ts'
import type { NewId, TaskId } from '../id.ts'
import type { SchedulerPolicy, TaskView } from '../task.ts'
import { Attempt, type AttemptEnd, type AttemptParts, workerName } from './attempt.ts'
import { Bell } from './bell.ts'
import { ClaimedTask } from './claimed-task.ts'
import { Holds } from './holds.ts'
import { isTaking } from './work-history.ts'
import { WorkList } from './work-list.ts'

export interface WorkingOptions extends AttemptParts {
  readonly store: Pick<EventStore, 'append' | 'readAll' | 'watch'>
  readonly claims: TaskClaims
  readonly clock: Clock
  readonly newId: Pick<NewId, 'session'>
  readonly policy: SchedulerPolicy
  /** Whether this worker takes such tasks. */
  readonly accepts: (task: TaskView) => boolean
  /** Tasks to work on at once. */
  readonly slots: number
  /** Ends when there is nothing left to take. Default: waits for more tasks. */
  readonly once: boolean
  /** US dollars of all tasks together. Default: no limit. */
  readonly maxCostUsd?: number | undefined
  readonly pid: number
  /** The name of this machine. */
  readonly host: string
  /** Real path of the folder whose repository keeps the work. */
  readonly folder: string
  /** Whether the commits that a task begins with are here. Asked before it is taken. */
  readonly canBegin?: (task: TaskView, options: { readonly signal: AbortSignal }) => Promise<boolean>
  /** Called once each time that the store cannot be reached: the worker waits and goes on. */
  readonly onOffline?: (error: PipeError) => void
  /** Called for each event that it appends. */
  readonly onAppend: (event: StoredEvent, task: TaskView) => void
}

/** Attempts in a row that may end with the death of their worker. */
const maxDeaths = 3
/** Milliseconds that a round has to end once the worker is to end. */
const drainMs = 10_000
/** Milliseconds between looks at claims that others held. */
const lookMs = 100
/** Milliseconds before the next look for commits that are missing here. */
const missingMs = 30_000
/** Milliseconds before the next try if the store cannot be reached. */
const offlineMs = 1_000

/**
 * Takes tasks and carries them out. Once `drain` fires it takes no more, lets rounds end for 10 s, and hands the rest back. Throws what
 * the store throws, and `budget` once the money is spent; running tasks are handed back before.
 */
export async function carryOutTasks(options: WorkingOptions, drain: AbortSignal): Promise<void> {
  const worker = new Worker(options)
  const onDrain = () => worker.drain()
  if (drain.aborted) onDrain()
  else drain.addEventListener('abort', onDrain, { once: true })
  try {
    await worker.run()
  } finally {
    drain.removeEventListener('abort', onDrain)
  }
}

interface Running {
  readonly attempt: Attempt
  readonly claimed: ClaimedTask
}

class Worker {
  readonly #options: WorkingOptions
  readonly #list: WorkList
  readonly #running = new Map<TaskId, Running>()
  readonly #holds: Holds
  readonly #bell = new Bell()
  /** Ends the watch and the waits. */
  readonly #over = new AbortController()
  #isDraining = false
  #isOffline = false
  #failure: { readonly error: unknown } | undefined
  #spentUsd = 0
  #stopTimer: (() => void) | undefined

  constructor(options: WorkingOptions) {
    this.#options = options
    this.#list = new WorkList(options)
    this.#holds = new Holds(options.clock)
  }

  async run(): Promise<void> {
    const stopLooking = this.#options.clock.every(lookMs, () => {
      if (this.#holds.areDue()) this.#bell.ring()
    })
    let watching: Promise<void> | undefined
    try {
      await this.#catchUp()
      watching = this.#watch()
      await this.#work()
    } finally {
      stopLooking()
      this.#stopTimer?.()
      this.#over.abort()
      await watching
    }
    if (this.#failure !== undefined) throw this.#failure.error
  }

  async #work(): Promise<void> {
    for (;;) {
      await this.#fill()
      if (this.#running.size === 0) {
        if (this.#isDraining) return
        if (this.#options.once) {
          await this.#catchUp()
          if (this.#nextTask() === undefined) return
          continue
        }
      }
      await this.#bell.heard()
    }
  }

  /** Takes no more tasks, and hands back those that do not end in time. */
  drain(): void {
    if (this.#isDraining) return
    this.#isDraining = true
    this.#leave('after the round')
    this.#stopTimer = this.#options.clock.after(drainMs, () => this.#leave('now'))
    this.#bell.ring()
  }

  #noteOffline(error: PipeError): void {
    if (!this.#isOffline) this.#options.onOffline?.(error)
    this.#isOffline = true
  }

  #fail(error: unknown): void {
    this.#failure ??= { error }
    this.drain()
  }

  #leave(when: 'now' | 'after the round'): void {
    for (const { attempt } of this.#running.values()) attempt.leave(when)
  }

  async #catchUp(): Promise<void> {
    const { store } = this.#options
    for await (const event of store.readAll({ after: this.#list.cursor, signal: this.#over.signal }))
      this.#see(event, { isNew: false })
  }

  async #watch(): Promise<void> {
    const { store, clock } = this.#options
    const { signal } = this.#over
    while (!signal.aborted) {
      try {
        for await (const event of store.watch({ after: this.#list.cursor, signal })) {
          this.#isOffline = false
          this.#see(event, { isNew: true })
          this.#bell.ring()
        }
      } catch (error) {
        if (signal.aborted) return
        if (!isOffline(error)) return this.#fail(error)
        this.#noteOffline(error)
        await clock.sleep(offlineMs, signal).catch(() => undefined)
      }
    }
  }

  #see(event: StoredEvent, { isNew }: { readonly isNew: boolean }): void {
    const { taskId } = event.payload
    this.#list.apply(event)
    const running = this.#running.get(taskId)
    const isForeign = running === undefined && this.#list.ready(taskId) !== undefined
    this.#holds.see(event, { isTaken: isNew && isForeign && isTaking(event) })
    if (running?.claimed.isOvertakenBy(event) === true) running.attempt.drop()
  }

  /** Returns a task that another worker may have left, as it was first, or else the next one in the queue. */
  #nextTask(): TaskView | undefined {
    for (const id of this.#holds.due()) {
      const task = this.#running.has(id) ? undefined : this.#list.ready(id)
      if (task !== undefined) return task
    }
    return this.#list.next((task) => !this.#running.has(task.taskId) && this.#holds.isFree(task))
  }

  async #fill(): Promise<void> {
    while (!this.#isDraining && this.#running.size < this.#options.slots) {
      const task = this.#nextTask()
      if (task === undefined) return
      try {
        await this.#take(task)
      } catch (error) {
        if (!isOffline(error) || this.#options.once) return this.#fail(error)
        this.#noteOffline(error)
        this.#holds.hold(task, offlineMs)
        return
      }
    }
  }

  async #take(task: TaskView): Promise<void> {
    const { canBegin, pid, host } = this.#options
    if (canBegin !== undefined && !(await canBegin(task, { signal: this.#over.signal }))) {
      this.#holds.hold(task, missingMs)
      return
    }
    const claim = await this.#options.claims.claim(task.taskId, { signal: this.#over.signal })
    if (claim === undefined) {
      this.#holds.hold(task)
      return
    }
    let isRunning = false
    const claimed = new ClaimedTask({ ...this.#options, task, claim, worker: workerName(pid, host) })
    try {
      const { isBegun, deaths } = this.#list.historyOf(task.taskId)
      if (isBegun && deaths + 1 >= maxDeaths) await claimed.end(died)
      else isRunning = await this.#start(claimed, task, claim)
    } finally {
      this.#expect(claimed)
      if (!isRunning) await claim.release()
    }
  }

  /** Begins an attempt. Returns false if somebody else was faster. */
  async #start(claimed: ClaimedTask, task: TaskView, claim: TaskClaim): Promise<boolean> {
    const { maxCostUsd, newId } = this.#options
    const sessionId = task.sessionId ?? newId.session()
    if (!(await claimed.start(sessionId))) return false
    const attempt = new Attempt({
      ...this.#options,
      task,
      sessionId,
      history: this.#list.historyOf(task.taskId),
      budgetUsd: maxCostUsd === undefined ? undefined : Math.max(0, maxCostUsd - this.#spentUsd),
      onCost: (usd) => this.#spend(usd),
    })
    this.#running.set(task.taskId, { attempt, claimed })
    if ((this.#list.get(task.taskId)?.seq ?? 0) > claimed.seq || claim.lost.aborted) attempt.drop()
    if (this.#isDraining) attempt.leave('now')
    void this.#carryOut({ attempt, claimed }, claim)
    return true
  }

  /** Never rejects. */
  async #carryOut({ attempt, claimed }: Running, claim: TaskClaim): Promise<void> {
    const { taskId } = attempt.task
    const drop = () => attempt.drop()
    // One signal may stand for all claims of a worker.
    claim.lost.addEventListener('abort', drop)
    try {
      const end = await attempt.run()
      const isStored = await claimed.end(end)
      if (isStored && (end.type === 'completed' || end.type === 'failed')) await attempt.tidy()
      if (end.type === 'left' && end.error !== undefined) this.#fail(end.error)
    } catch (error) {
      if (!isOffline(error)) this.#fail(error)
      else this.#noteOffline(error)
    }
    claim.lost.removeEventListener('abort', drop)
    this.#expect(claimed)
    try {
      await claim.release()
    } catch (error) {
      if (!isOffline(error)) this.#fail(error)
    }
    this.#running.delete(taskId)
    this.#bell.ring()
  }

  /** Leaves a task alone until its last event has come, if it has not yet. */
  #expect({ taskId, seq }: ClaimedTask): void {
    if ((this.#list.get(taskId)?.seq ?? 0) < seq) this.#holds.expect(taskId, seq)
    else this.#holds.free(taskId)
  }

  #spend(usd: number): void {
    const { maxCostUsd = Infinity } = this.#options
    this.#spentUsd += usd
    if (this.#spentUsd < maxCostUsd) return
    this.#fail(new PipeError('budget', `stopped at the cost limit of the worker: $${maxCostUsd}`))
  }
}

const died: AttemptEnd = {
  type: 'failed',
  reason: `${maxDeaths} workers died while they worked on it`,
  code: 1,
}

/** Whether the store could not be reached. Its claims are lost then, and each attempt ends for itself. */
function isOffline(error: unknown): error is PipeError {
  return hasCode(error, 'network')
}
