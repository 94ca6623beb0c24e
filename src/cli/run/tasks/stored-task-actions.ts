import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findDirectories } from '../../../config/directories.ts'
import type { TaskActions } from '../../../frontend/task-actions.ts'
import type { TaskId } from '../../../id.ts'
import type { TaskView } from '../../../task.ts'
import type { TaskBoard } from '../../../tasks/board.ts'
import type { Machine } from '../../machine.ts'
import { findTaskStore } from '../../wiring/tasks/task-store.ts'
import type { FollowedTasks } from './followed-tasks.ts'

/** Opens the board of tasks for a front end. Loads and reads nothing before it is used. */
export function createTaskActions(on: Machine): TaskActions {
  // A warning would tear the screen. `pipe task` shows it.
  const machine = { ...on, warn: () => undefined }
  const { tasks: folder } = findDirectories(machine.env, machine.home)
  const hasLog = () => existsSync(join(folder, 'events.jsonl'))
  let followed: FollowedTasks | undefined
  const load = () => import('./task-work.ts')
  const open = async (signal: AbortSignal): Promise<FollowedTasks> => {
    const isShared = (await findTaskStore(machine)) !== undefined
    if (isShared || !hasLog()) await (await load()).makeBoard({ machine, signal })
    const { FollowedTasks } = await import('./followed-tasks.ts')
    followed ??= new FollowedTasks(machine, isShared ? undefined : folder)
    return followed
  }
  async function* follow(signal: AbortSignal): AsyncGenerator<readonly TaskView[], undefined, undefined> {
    return yield* (await open(signal)).follow(signal)
  }
  const read = async (signal: AbortSignal): Promise<TaskBoard> => {
    const board = await (await open(signal)).board(signal)
    return board ?? (await load()).readTasks({ machine, signal })
  }
  const isBegun = async () => hasLog() || (await findTaskStore(machine)) !== undefined
  return {
    follow,
    list: async (signal) => ((await isBegun()) ? (await read(signal)).all() : []),
    find: async (id, signal) => ((await isBegun()) ? (await read(signal)).get(id) : undefined),
    async *events(id, { after = 0, signal }) {
      const { eventsFrom } = await load()
      let fromSeq = 1
      for await (const tasks of follow(signal)) {
        if (!tasks.some(({ taskId }) => taskId === id)) continue
        for (const event of await eventsFrom({ id, fromSeq }, { machine, signal })) {
          fromSeq = event.seq + 1
          if (event.id > after) yield event
        }
      }
      return undefined
    },
    async *questions(signal) {
      return (await isBegun()) ? yield* countQuestions(follow(signal)) : undefined
    },
    add: async (text, signal, wishes = {}) => (await load()).addTaskHere(text, wishes, { machine, signal }),
    details: async (id, signal) => {
      const board = await read(signal)
      return (await load()).taskDetails(id, { board, machine, signal })
    },
    question: async (id, signal) => (await load()).questionOf(id, { machine, signal }),
    answer: async (id, response, signal) => (await load()).answerIt(id, response, { machine, signal }),
    cancel: async (id, signal) => (await load()).cancelIt(id, { machine, signal }),
    diff: async (id, signal) => (await load()).diffOf(id, { machine, signal }),
    apply: async (id, signal) => (await load()).applyIt(id, { machine, signal }),
  }
}

/** Yields how many tasks await an answer, each time the number changes. */
async function* countQuestions(
  changes: AsyncIterable<readonly TaskView[]>,
): AsyncGenerator<number, undefined, undefined> {
  const waiting = new Set<TaskId>()
  let told = 0
  for await (const changed of changes) {
    for (const { taskId, status } of changed)
      if (status === 'awaiting_user') waiting.add(taskId)
      else waiting.delete(taskId)
    if (waiting.size !== told) yield waiting.size
    told = waiting.size
  }
  return undefined
}
