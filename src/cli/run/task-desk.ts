import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findDirectories } from '../../config/directories.ts'
import type { TaskId } from '../../id.ts'
import type { TaskView } from '../../task.ts'
import type { TaskDesk } from '../../task-desk.ts'
import type { Machine } from '../machine.ts'
import type { FollowedTasks } from './followed-tasks.ts'

/** Opens the board of tasks for a front end. Loads and reads nothing before it is used. */
export function createTaskDesk(machine: Machine): TaskDesk {
  const { tasks: directory } = findDirectories(machine.env, machine.home)
  const hasTasks = () => existsSync(join(directory, 'events.jsonl'))
  let followed: FollowedTasks | undefined
  const load = () => import('./task-work.ts')
  const open = async (signal: AbortSignal): Promise<FollowedTasks> => {
    if (!hasTasks()) await (await load()).makeBoard({ machine, signal })
    const { FollowedTasks } = await import('./followed-tasks.ts')
    followed ??= new FollowedTasks(machine, directory)
    return followed
  }
  async function* follow(signal: AbortSignal): AsyncGenerator<readonly TaskView[], undefined, undefined> {
    yield* (await open(signal)).follow(signal)
  }
  return {
    follow,
    async *questions(signal) {
      return hasTasks() ? yield* countQuestions(follow(signal)) : undefined
    },
    add: async (text, signal) => (await load()).addTaskHere(text, { machine, signal }),
    details: async (id, signal) => {
      const { board } = await open(signal)
      return (await load()).detailsOf(id, { board, machine, signal })
    },
    question: async (id, signal) => (await load()).questionOf(id, { machine, signal }),
    answer: async (id, response, signal) => (await load()).answerIt(id, response, { machine, signal }),
    cancel: async (id, signal) => (await load()).cancelIt(id, { machine, signal }),
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
