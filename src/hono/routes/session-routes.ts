import * as z from 'zod'
import { invalidField } from '../../error.ts'
import { isSessionId, type SessionId } from '../../id.ts'
import { messageIdSchema, postedSchema } from '../../json/served/command-schema.ts'
import { modeSchema, sessionRowSchema, thinkingSchema } from '../../json/served/session-schema.ts'
import { snapshotSchema } from '../../json/served/snapshot-schema.ts'
import { encodeSnapshot } from '../../wire/snapshot-json.ts'
import type { AppParts } from '../app-parts.ts'
import { chosenProject, projectNamed } from '../chosen-project.ts'
import type { Hub } from '../live/hub.ts'
import { listRows } from '../live/list-rows.ts'
import { defineRoute, nothing, type Route } from '../route.ts'
import { listLimit } from './list-limit.ts'
import { namingModel } from './named-model.ts'
import { projectName } from './project-routes.ts'
import { filesSchema, messageText, sentFiles } from './sent-files.ts'

type Parts = Pick<AppParts, 'backend' | 'hub'>

/** Lists, begins, describes and continues sessions. */
export function sessionRoutes(parts: Parts): readonly Route[] {
  return [listRoute(parts), beginRoute(parts), describeRoute(parts), messageRoute(parts), changesRoute(parts)]
}

function listRoute({ backend, hub }: Parts): Route {
  return defineRoute({
    method: 'get',
    path: '/v1/sessions',
    operation: 'listSessions',
    summary: 'The sessions of the projects, newest first',
    query: z.object({
      project: projectName.exactOptional(),
      parent: z.string().refine(isSessionId, 'is not a session id').exactOptional(),
      limit: listLimit,
      before: z.string().exactOptional(),
    }),
    body: nothing,
    answers: {
      200: {
        description: 'The sessions. `next`, if there are more, is the `before` of the next request.',
        schema: z.object({ sessions: z.array(sessionRowSchema), next: z.string().exactOptional() }),
      },
    },
    handle: async ({ query: { project: name, ...query }, signal }) => {
      const project = name === undefined ? undefined : projectNamed(backend, name)
      if (query.parent !== undefined) await requireParent(hub, query.parent, signal)
      return Response.json(await listRows(hub, { ...query, signal, project }))
    },
  })
}

async function requireParent(hub: Hub, id: SessionId, signal: AbortSignal): Promise<void> {
  if (hub.get(id) !== undefined || (await hub.stored.find(id, { signal })) !== undefined) return
  throw invalidField('parent', 'expected a session of this server')
}

function beginRoute({ backend, hub }: Parts): Route {
  return defineRoute({
    method: 'post',
    path: '/v1/sessions',
    operation: 'createSession',
    summary: 'Begins a session, and with a text or files its first turn',
    query: nothing,
    body: z.strictObject({
      project: projectName.exactOptional(),
      text: z.string().exactOptional(),
      files: filesSchema.exactOptional(),
      model: z.string().min(1).exactOptional(),
      thinking: thinkingSchema.exactOptional(),
      mode: modeSchema.exactOptional(),
      agent: z.string().min(1).exactOptional(),
      /** Works in the git worktree of this name, which is made if need be. */
      worktree: z.string().min(1).exactOptional(),
    }),
    isBodyOptional: true,
    hasLargeBody: true,
    answers: {
      201: { description: 'The session. A message that was sent is saved.', schema: sessionRowSchema },
    },
    handle: async ({ body: { project: name, text, files, worktree, ...choices }, signal }) => {
      const chosen = chosenProject(backend, name)
      const project = worktree === undefined ? chosen : await backend.inWorktree(chosen, worktree, { signal })
      const begin = () => hub.begin({ ...choices, project })
      const live = await (choices.model === undefined ? begin() : namingModel(begin))
      try {
        const sent = sentFiles(files)
        if (text !== undefined || sent.length > 0)
          await live.post({ text: messageText(text ?? '', sent), files: sent, when: 'now' })
      } catch (error) {
        await hub.discard(live)
        throw error
      }
      return Response.json(await hub.row(live.id, signal), { status: 201 })
    },
  })
}

function describeRoute({ hub }: Parts): Route {
  return defineRoute({
    method: 'get',
    path: '/v1/sessions/{id}',
    operation: 'getSession',
    summary: 'A session with its conversation',
    query: nothing,
    body: nothing,
    answers: {
      200: { description: 'The session.', schema: sessionRowSchema.extend({ snapshot: snapshotSchema }) },
    },
    handle: async ({ params: { id = '' }, signal }) => {
      const row = await hub.row(id, signal)
      const snapshot = (await hub.get(id)?.snapshot()) ?? (await hub.stored.snapshot(id, { signal }))
      return Response.json({ ...row, snapshot: encodeSnapshot(snapshot) })
    },
  })
}

function messageRoute({ hub }: Parts): Route {
  return defineRoute({
    method: 'post',
    path: '/v1/sessions/{id}/messages',
    operation: 'sendMessage',
    summary: 'Continues a session: begins a turn, steers the running one, or waits for its end',
    query: nothing,
    body: z.strictObject({
      /** Without a visible character only beside files. */
      text: z.string().default(''),
      files: filesSchema.exactOptional(),
      id: messageIdSchema.exactOptional(),
      when: z.enum(['now', 'after']).default('now'),
      model: z.string().min(1).exactOptional(),
      /** The text calls a command by its name, and is refused if there is none. */
      is_command: z.boolean().exactOptional(),
    }),
    hasLargeBody: true,
    answers: {
      201: { description: 'A turn has begun, and the message is saved.', schema: postedSchema },
      202: { description: 'The message is kept until it is delivered.', schema: postedSchema },
    },
    handle: async ({
      params: { id = '' },
      body: { model, files, text: words, is_command: isCommand, ...message },
    }) => {
      const sent = sentFiles(files)
      const text = messageText(words, sent)
      const live = await hub.open(id)
      if (isCommand === true) live.conversation.requireKnownCommand(text)
      if (model !== undefined) await namingModel(() => live.setModel(model))
      const posted = await live.post({ ...message, text, files: sent })
      return Response.json(posted, { status: posted.status === 'started' ? 201 : 202 })
    },
  })
}

function changesRoute({ hub }: Parts): Route {
  return defineRoute({
    method: 'get',
    path: '/v1/sessions/{id}/diff',
    operation: 'getSessionDiff',
    summary: 'What the last turn of a session changed, or with `turns=all` every turn, as a unified diff',
    query: z.object({ turns: z.enum(['last', 'all']).default('last') }),
    body: nothing,
    answers: { 200: { description: 'The diff; empty if no files changed.', mediaType: 'text/x-diff' } },
    handle: async ({ params: { id = '' }, query: { turns }, signal }) => {
      const live = await hub.open(id)
      const diff = await live.changes({ isAll: turns === 'all', signal })
      return new Response(diff ?? '', { headers: { 'content-type': 'text/x-diff; charset=utf-8' } })
    },
  })
}
