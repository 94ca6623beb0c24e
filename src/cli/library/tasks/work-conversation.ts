import type { Limits } from '../../../engine.ts'
import { PipeError } from '../../../error.ts'
import { noCheckpoints } from '../../../history/checkpoint.ts'
import type { TaskView } from '../../../task.ts'
import type { OpenTaskConversation } from '../../../tasks/attempt.ts'
import { readTask } from '../../../tasks/stored-task.ts'
import type { Machine } from '../../machine.ts'
import { modeOf, openChildren } from '../../run/child-conversation.ts'
import { lockWaitMs, openedWork } from '../../run/tasks/task-conversation.ts'
import { openSettings } from '../../wiring/read-settings.ts'
import type { Choices } from '../../wiring/run-choices.ts'
import type { ForeignParts } from '../../wiring/wire-context.ts'
import { wire } from '../../wiring/wiring.ts'
import { foreignParts } from '../library-machine.ts'
import type { ConversationOptions } from '../library-options.ts'
import { requireOptions } from '../options-shape.ts'
import { openSchema, readOptions } from '../read-options.ts'
import type { WorkerStore } from './open-task-store.ts'

/** Options of a task's conversation. The worker gives it its folder, session and environment; questions wait for an answer to the task. */
export type WorkConversation = Omit<
  ConversationOptions,
  'cwd' | 'env' | 'session' | 'onQuestion' | 'onAsk' | 'onWarning' | 'signal'
>

export interface WorkConversations {
  readonly machine: Machine
  readonly store: WorkerStore
  /** Whether each task has a folder of its own. */
  readonly isApart: boolean
  readonly optionsOf: (task: TaskView) => WorkConversation
}

type TaskRequest = Parameters<OpenTaskConversation>[0]

/** Opens the conversations of tasks with the options of a caller. */
export function taskConversations(parts: WorkConversations): OpenTaskConversation {
  return async (request, { signal }) => {
    const warnings: string[] = []
    const machine = { ...parts.machine, warn: (line: string) => warnings.push(line) }
    const options = parts.optionsOf(await taskOf(request, parts.store, signal))
    requireOptions(options)
    const cwd = parts.isApart ? request.cwd : undefined
    const wired = await wire({
      machine,
      choices: await choicesOf(request, options, { machine, cwd }),
      parts: {
        ...foreignParts(options),
        ...(await storesOf(request, options, parts.store)),
        ...(cwd === undefined ? {} : { checkpoints: noCheckpoints }),
      },
      children: openChildren,
      signal,
    })
    return openedWork(wired, { machine: cwd === undefined ? machine : { ...machine, cwd }, warnings })
  }
}

async function taskOf(
  { taskId }: TaskRequest,
  { events }: WorkerStore,
  signal: AbortSignal,
): Promise<TaskView> {
  const stored = taskId === undefined ? undefined : await readTask(taskId, { store: events, signal })
  if (stored !== undefined) return stored.task
  throw new PipeError('conflict', `there is no task ${taskId}`)
}

async function choicesOf(
  request: TaskRequest,
  options: WorkConversation,
  { machine, cwd }: { readonly machine: Machine; readonly cwd: string | undefined },
): Promise<Choices> {
  const { agent, model, mode, taskId, actor, session, limits } = request
  const choices = await readOptions(options, await openSchema(options))
  const { settings } = await openSettings(machine, choices)
  const inForce = modeOf({ cwd, mode }, settings.permissions?.mode ?? 'default')
  const layer = {
    source: { type: 'flag', name: 'the task' },
    settings: { permissions: { mode: inForce } },
  } as const
  return {
    ...choices,
    layers: [...choices.layers, layer],
    session: session === undefined ? { type: 'new' } : { type: 'named', id: session },
    lockWaitMs,
    limits: strictest(limits, choices.limits),
    actor,
    onAsk: 'ask',
    interactive: false,
    agent: choices.agent ?? agent,
    // A provider of the caller has no name by which the session could open it again.
    model: model ?? (typeof choices.model === 'object' ? choices.model : undefined),
    usualModel: choices.model,
    taskId,
    worktree: cwd,
  }
}

/** Returns where the attempt is recorded: a store of the caller comes first, then that of the tasks. */
async function storesOf(
  { attempt }: TaskRequest,
  { store }: WorkConversation,
  { sessions, openAudit }: WorkerStore,
): Promise<Pick<ForeignParts, 'store' | 'openAudit'>> {
  if (openAudit === undefined || sessions === undefined || store !== undefined) return {}
  return {
    store: await sessions({ attempt }),
    openAudit: (log, options) => openAudit(log, { ...options, attempt }),
  }
}

const limitNames = ['maxRounds', 'maxTokens', 'maxCostUsd', 'maxTimeMs'] as const

/** Returns the lower of each limit. */
function strictest(one: Limits, other: Limits): Limits {
  return Object.fromEntries(
    limitNames.flatMap((name) => {
      const limit = Math.min(one[name] ?? Infinity, other[name] ?? Infinity)
      return limit === Infinity ? [] : [[name, limit]]
    }),
  )
}
