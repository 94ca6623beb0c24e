import { linkAbort } from '../../agent/linked-abort.ts'
import { merge } from '../../agent/merge-generators.ts'
import { hasCode } from '../../error.ts'
import { listLineSchema } from '../../json/served/task-schema.ts'
import type { AppParts } from '../app-parts.ts'
import { eventStream, type SentEvent } from '../event-stream.ts'
import type { Hub } from '../live/hub.ts'
import type { ServedTasks } from '../live/served-tasks.ts'
import { stopping } from '../live/stopping.ts'
import { defineRoute, nothing, type Route } from '../route.ts'

/** Changes of rows, for clients that have listed sessions and tasks. */
export function listEvents({
  hub,
  tasks,
  clock,
  ending,
}: Pick<AppParts, 'hub' | 'tasks' | 'clock' | 'ending'>): Route {
  return defineRoute({
    method: 'get',
    path: '/v1/events',
    operation: 'watchLists',
    summary: 'Sessions of this server and tasks, whenever one changes, from now on',
    query: nothing,
    body: nothing,
    answers: {
      200: {
        description: 'Server-sent events, a changed session or task each.',
        schema: listLineSchema,
        mediaType: 'text/event-stream',
      },
    },
    handle: async ({ signal: gone }) => {
      const signal = AbortSignal.any([gone, ending])
      return eventStream(
        stopping(signal, (until) => changedRows(hub, tasks, until)),
        { clock, signal },
      )
    },
  })
}

async function* changedRows(
  hub: Hub,
  tasks: ServedTasks,
  signal: AbortSignal,
): AsyncGenerator<SentEvent, undefined, undefined> {
  const { controller, unlink } = linkAbort(signal)
  const until = controller.signal
  try {
    yield* merge([changedSessions(hub, until), changedTasks(tasks, until)], () => controller.abort())
    return undefined
  } finally {
    unlink()
  }
}

async function* changedSessions(hub: Hub, signal: AbortSignal): AsyncGenerator<SentEvent, void, undefined> {
  for await (const id of hub.changes.follow(signal)) {
    try {
      yield { data: JSON.stringify({ type: 'session', session: await hub.row(id, signal) }) }
    } catch (error) {
      // It was closed before its first message, or its file was deleted.
      if (!hasCode(error, 'not_found')) throw error
    }
  }
}

async function* changedTasks(
  tasks: ServedTasks,
  signal: AbortSignal,
): AsyncGenerator<SentEvent, void, undefined> {
  for await (const task of tasks.changes(signal))
    yield { data: JSON.stringify({ type: 'task', task: tasks.encode(task) }) }
}
