import * as z from 'zod'
import { PipeError, unreachable } from '../../error.ts'
import {
  newTaskSchema,
  taskCommandSchema,
  taskDetailsSchema,
  taskSchema,
  taskStatusSchema,
} from '../../json/served/task-schema.ts'
import { taskEventSchema } from '../../json/tasks/schema.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { encodeInteraction } from '../../wire/interaction-json.ts'
import { encodeStoredEvent } from '../../wire/task-json.ts'
import type { AppParts } from '../app-parts.ts'
import { chosenProject, projectNamed } from '../chosen-project.ts'
import { eventStream, type SentEvent } from '../event-stream.ts'
import { requireChoice } from '../live/required-choice.ts'
import type { ServedTask } from '../live/served-tasks.ts'
import { stopping } from '../live/stopping.ts'
import { defineRoute, nothing, type Route } from '../route.ts'
import { namingModel } from './named-model.ts'
import { projectName } from './project-routes.ts'
import { sign } from './session-commands.ts'

type Parts = Pick<AppParts, 'backend' | 'tasks' | 'clock' | 'ending'>

/** Puts tasks on the board, lists and describes them, answers their questions and takes their work over. */
export function taskRoutes(parts: Parts): readonly Route[] {
  return [
    listRoute(parts),
    addRoute(parts),
    describeRoute(parts),
    eventsRoute(parts),
    commandRoute(parts),
    diffRoute(parts),
  ]
}

function listRoute({ backend, tasks }: Parts): Route {
  return defineRoute({
    method: 'get',
    path: '/v1/tasks',
    operation: 'listTasks',
    summary: 'The tasks of the projects, oldest first',
    query: z.object({ project: projectName.exactOptional(), status: taskStatusSchema.exactOptional() }),
    body: nothing,
    answers: { 200: { description: 'The tasks.', schema: z.object({ tasks: z.array(taskSchema) }) } },
    handle: async ({ query: { project: name, status }, signal }) => {
      const project = name === undefined ? undefined : projectNamed(backend, name)
      const found = (await tasks.list(signal))
        .filter((task) => status === undefined || task.status === status)
        .filter((task) => project === undefined || tasks.projectOf(task) === project)
      return Response.json({ tasks: found.map((task) => tasks.encode(task)) })
    },
  })
}

function addRoute({ backend, tasks }: Parts): Route {
  return defineRoute({
    method: 'post',
    path: '/v1/tasks',
    operation: 'createTask',
    summary: 'Puts a task on the board, for a worker to do in a copy of the project',
    query: nothing,
    body: newTaskSchema,
    answers: { 201: { description: 'The task.', schema: taskSchema } },
    handle: async ({ body: { project, text, ...wishes }, signal }) => {
      const chosen = chosenProject(backend, project)
      const { model } = wishes
      if (model !== undefined) await namingModel(() => backend.requireModel(model, chosen, { signal }))
      const task = await tasks.actions(chosen).add(text, signal, wishes)
      return Response.json(tasks.encode(task), { status: 201 })
    },
  })
}

function describeRoute({ tasks }: Parts): Route {
  return defineRoute({
    method: 'get',
    path: '/v1/tasks/{id}',
    operation: 'getTask',
    summary: 'A task with what is known about it, its log, and the question that it asks',
    query: nothing,
    body: nothing,
    answers: { 200: { description: 'The task.', schema: taskDetailsSchema } },
    handle: async ({ params: { id = '' }, signal }) => {
      const { task, actions } = await tasks.find(id, signal)
      const { facts, log } = await actions.details(task.taskId, signal)
      const asks = task.pendingInteractionId !== undefined
      const question = asks ? await actions.question(task.taskId, signal) : undefined
      const asked = omitUndefined({ question: question && encodeInteraction(question) })
      return Response.json({ task: tasks.encode(task), facts, log, ...asked })
    },
  })
}

const taken = { error: 'expected the id of an event' }
const eventId = z.coerce.number(taken).int(taken).nonnegative(taken)

function eventsRoute({ tasks, clock, ending }: Parts): Route {
  return defineRoute({
    method: 'get',
    path: '/v1/tasks/{id}/events',
    operation: 'watchTask',
    summary: 'The events of a task from the first or from `Last-Event-ID` on, and those to come',
    query: z.object({ after: eventId.exactOptional() }),
    body: nothing,
    answers: {
      200: {
        description: 'Server-sent events, a stored event each.',
        schema: taskEventSchema,
        mediaType: 'text/event-stream',
      },
    },
    handle: async ({ params: { id = '' }, query, headers, signal: gone }) => {
      const found = await tasks.find(id, gone)
      const last = headers.get('last-event-id') ?? ''
      const after = /^\d{1,15}$/.test(last) ? Number(last) : query.after
      const signal = AbortSignal.any([gone, ending])
      return eventStream(
        stopping(signal, (until) => taskLines(found, after, until)),
        { clock, signal },
      )
    },
  })
}

async function* taskLines(
  { id, actions }: ServedTask,
  after: number | undefined,
  signal: AbortSignal,
): AsyncGenerator<SentEvent, undefined, undefined> {
  for await (const event of actions.events(id, { signal, ...omitUndefined({ after }) }))
    yield { id: String(event.id), data: JSON.stringify(encodeStoredEvent(event)) }
  return undefined
}

function commandRoute(parts: Parts): Route {
  return defineRoute({
    method: 'post',
    path: '/v1/tasks/{id}/commands',
    operation: 'commandTask',
    summary: 'Answers the question of a task, cancels it, or applies its work to the files of its project',
    query: nothing,
    body: taskCommandSchema,
    answers: {
      200: { description: 'It is done.', schema: z.object({ report: z.string().exactOptional() }) },
    },
    handle: async ({ params: { id = '' }, body, signal }) => {
      const report = await carryOut(body, await parts.tasks.find(id, signal), { ...parts, signal })
      return Response.json(omitUndefined({ report }))
    },
  })
}

async function carryOut(
  command: z.infer<typeof taskCommandSchema>,
  { id, task, actions, project }: ServedTask,
  { backend, signal }: Parts & { readonly signal: AbortSignal },
): Promise<string | undefined> {
  switch (command.type) {
    case 'respond': {
      const response = await sign(command.response, project, backend)
      const { interactionId } = response
      if (task.pendingInteractionId !== interactionId && task.lastInteractionId === interactionId)
        throw new PipeError('conflict', `question ${interactionId} is already answered`)
      if (task.pendingInteractionId !== interactionId)
        throw new PipeError('not_found', `task ${id} does not ask question ${interactionId}`)
      requireChoice(await actions.question(id, signal), response)
      await offered(actions.answer)(id, response, signal)
      return undefined
    }
    case 'cancel':
      await actions.cancel(id, signal)
      return undefined
    case 'apply':
      return offered(actions.apply)(id, signal)
    default:
      return unreachable(command)
  }
}

function diffRoute({ tasks }: Pick<Parts, 'tasks'>): Route {
  return defineRoute({
    method: 'get',
    path: '/v1/tasks/{id}/diff',
    operation: 'getTaskDiff',
    summary: 'What a task would change, as a unified diff',
    query: nothing,
    body: nothing,
    answers: { 200: { description: 'The diff; empty if nothing changes.', mediaType: 'text/x-diff' } },
    handle: async ({ params: { id = '' }, signal }) => {
      const { id: taskId, actions } = await tasks.find(id, signal)
      const diff = await offered(actions.diff)(taskId, signal)
      return new Response(diff, { headers: { 'content-type': 'text/x-diff; charset=utf-8' } })
    },
  })
}

function offered<Ability>(ability: Ability | undefined): Ability {
  if (ability !== undefined) return ability
  throw new PipeError('config', 'the task board of this server does not offer that')
}
