import { hostname } from 'node:os'
import { join } from 'node:path'
import { systemIds } from '../../src/cli/host.ts'
import { systemClock } from '../../src/cli/system-clock.ts'
import type { EventStore, StoredEvent, TaskClaims } from '../../src/event-store.ts'
import type { TaskId } from '../../src/id.ts'
import { createTaskClaims } from '../../src/json/tasks/claims.ts'
import { createEventStore } from '../../src/json/tasks/event-store.ts'
import { judgeTurn } from '../../src/line/outcome.ts'
import type { Message } from '../../src/message.ts'
import type { ConversationRequest } from '../../src/open-conversation.ts'
import type { PendingQuestion } from '../../src/session.ts'
import type { TaskView } from '../../src/task.ts'
import type { OpenTaskConversation } from '../../src/tasks/attempt.ts'
import { defaultSchedulerPolicy } from '../../src/tasks/scheduler-policy.ts'
import { addTask, type TaskDraft } from '../../src/tasks/task-change.ts'
import type { TaskFolders } from '../../src/tasks/task-folder.ts'
import { carryOutTasks, type WorkingOptions } from '../../src/tasks/worker.ts'
import { type AgentSetup, type AgentUnderTest, openAgent } from '../support/conversations/agent.ts'
import { folderWith } from '../support/folders/folder.ts'
import { text, user } from '../support/messages/messages.ts'

const { signal } = new AbortController()

/** A conversation of a task, as its session keeps it between attempts. */
interface Kept {
  readonly messages: readonly Message[]
  readonly pending: readonly PendingQuestion[]
}

/** A store with tasks, and what workers need. The model plays a script, whose place follows from the session. */
export interface WorkerWorld {
  readonly store: EventStore
  readonly claims: TaskClaims
  /** Requests for conversations, in order. */
  readonly opened: readonly ConversationRequest[]
  readonly agents: readonly AgentUnderTest[]
  /** The steps taken with folders: `open ID`, `save ID`, `remove ID`. */
  readonly folders: string[]
  readonly sessions: Map<string, Kept>
  add(intent: string, more?: Partial<TaskDraft>): Promise<TaskView>
  /** Runs a worker until nothing is left to take. Returns the events that it appended. */
  work(more?: Partial<WorkingOptions>, drain?: AbortSignal): Promise<readonly StoredEvent[]>
  /** Returns the events of a task, each as its type and what is special about it. */
  log(id: TaskId): Promise<readonly string[]>
}

/** Opens a world whose model and tools are those of `setup`, which may depend on the task's text. */
export async function openWorkerWorld(setup: (intent: string) => AgentSetup): Promise<WorkerWorld> {
  const directory = join(await folderWith(), 'tasks')
  const holder = { directory, clock: systemClock, pid: process.pid, host: hostname() }
  const store = createEventStore({ ...holder, warn: () => undefined })
  const claims = createTaskClaims(holder)
  const newId = systemIds()
  const opened: ConversationRequest[] = []
  const agents: AgentUnderTest[] = []
  const folders: string[] = []
  const sessions = new Map<string, Kept>()
  const intents = new Map<string, string>()
  const open: OpenTaskConversation = async (request) => {
    opened.push(request)
    const { session, cwd = '', limits } = request
    const intent = intents.get(cwd) ?? ''
    const kept = session === undefined ? undefined : sessions.get(session)
    const clock = systemClock
    const agent = openAgent({ ...setup(intent), ...kept, clock, newId, limits })
    agents.push(agent)
    return {
      engine: agent.engine,
      sessionId: session,
      model: 'replay/script',
      warnings: [],
      compose: (words) => ({ ...user(text(words)), id: newId.message() }),
      close: async () => {
        await agent.conversation.close()
        const messages = [...(kept?.messages ?? []), ...agent.saved]
        if (session !== undefined)
          sessions.set(session, { messages, pending: agent.states.at(-1)?.pending ?? [] })
        return undefined
      },
    }
  }
  return {
    store,
    claims,
    opened,
    agents,
    folders,
    sessions,
    add: async (intent, more = {}) => {
      const draft = { title: intent, intent, priority: 'normal', agentId: 'agent_pipe', ...more } as const
      const task = await addTask({ authorActorId: 'user_local', ...draft }, { store, newId, signal })
      intents.set(task.taskId, intent)
      return task
    },
    work: async (more = {}, drain = signal) => {
      const appended: StoredEvent[] = []
      const options = { store, claims, newId, open, folders: foldersOf(folders), clock: systemClock }
      await carryOutTasks(
        {
          ...options,
          judge: (turn) => judgeTurn(turn, undefined),
          warn: () => undefined,
          policy: defaultSchedulerPolicy,
          accepts: () => true,
          slots: 1,
          once: true,
          pid: 7,
          host: 'ada',
          folder: '/home/ada/project',
          isHere: async () => true,
          onAppend: (event) => appended.push(event),
          ...more,
        },
        drain,
      )
      return appended
    },
    log: async (id) => {
      const lines: string[] = []
      for await (const event of store.readStream(id, { signal })) lines.push(shown(event))
      return lines
    },
  }
}

/** Folders that exist in name only. Their path is the id of the task. */
function foldersOf(journal: string[]): TaskFolders {
  return {
    open: async ({ taskId }) => {
      journal.push(`open ${taskId}`)
      return {
        cwd: taskId,
        save: async () => void journal.push(`save ${taskId}`),
        remove: async () => void journal.push(`remove ${taskId}`),
      }
    },
  }
}

function shown(event: StoredEvent): string {
  switch (event.type) {
    case 'task_started': {
      const { attempt, handedBack } = event.payload.options ?? {}
      return `started ${attempt}${handedBack === true ? ' handed back' : ''}`
    }
    case 'task_completed':
      return `completed: ${event.payload.summary}`
    case 'task_failed':
      return `failed ${event.payload.options?.code}: ${event.payload.reason}`
    default:
      return event.type.replace(/^(task|user_interaction)_/, '')
  }
}
