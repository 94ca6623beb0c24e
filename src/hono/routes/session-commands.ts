import * as z from 'zod'
import { PipeError, unreachable } from '../../error.ts'
import type { InteractionResponse } from '../../interaction.ts'
import {
  type GivenResponse,
  postedSchema,
  type SessionCommand,
  sessionCommandSchema,
} from '../../json/served/command-schema.ts'
import { signResponse } from '../../json/served/given-response.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { AppParts } from '../app-parts.ts'
import type { Backend, ServedProject } from '../backend.ts'
import type { LiveSession } from '../live/live-session.ts'
import { defineRoute, nothing, type Route } from '../route.ts'
import { namingModel } from './named-model.ts'

type Parts = Pick<AppParts, 'backend' | 'hub'>

/** The effect of a command: a note for the user, the fate of a message, or the user's text at the place gone to and a report. */
const doneSchema = postedSchema.partial().extend({
  note: z.string().exactOptional(),
  text: z.string().exactOptional(),
  report: z.string().exactOptional(),
})

type Done = z.infer<typeof doneSchema>

/** Answers, steers, stops and changes a session. */
export function commandRoute(parts: Parts): Route {
  return defineRoute({
    method: 'post',
    path: '/v1/sessions/{id}/commands',
    operation: 'commandSession',
    summary:
      'Answers a question of a session, steers or interrupts its turn, changes its model, thinking or mode, goes back',
    query: nothing,
    body: sessionCommandSchema,
    answers: { 200: { description: 'It is done.', schema: doneSchema } },
    handle: async ({ params: { id = '' }, body, signal }) => {
      const { hub } = parts
      if (body.type !== 'interrupt')
        return Response.json(await carryOut(body, await hub.open(id), { ...parts, signal }))
      await hub.row(id, signal)
      await hub.get(id)?.interrupt()
      return Response.json({})
    },
  })
}

async function carryOut(
  command: Exclude<SessionCommand, { readonly type: 'interrupt' }>,
  live: LiveSession,
  { backend, signal }: Parts & { readonly signal: AbortSignal },
): Promise<Done> {
  switch (command.type) {
    case 'respond':
      await live.respond(await sign(command.response, live.project, backend))
      return {}
    case 'steer':
    case 'follow_up': {
      const { type, text, id } = command
      return live.post({ text, when: type === 'steer' ? 'now' : 'after', id })
    }
    case 'take_back':
      await live.takeBack(command.message_id)
      return {}
    case 'set_model':
      await namingModel(() => live.setModel(command.model))
      return {}
    case 'set_thinking':
      await live.setThinking(command.level)
      return {}
    case 'set_mode':
      return omitUndefined({ note: await live.setMode(command.mode) })
    case 'compact':
      return omitUndefined({ note: await live.conversation.compact(command.keep, command.when) })
    case 'go_on':
      await live.conversation.goOn()
      return {}
    case 'go_to': {
      const { message_id: id, what = 'conversation', summary } = command
      return omitUndefined(await live.conversation.goTo(id, { what, isSummarised: summary, signal }))
    }
    default:
      return unreachable(command)
  }
}

/** Names who answers. Throws `not_found` for an id that no question has. */
export async function sign(
  given: GivenResponse,
  project: ServedProject,
  backend: Pick<Backend, 'user'>,
): Promise<InteractionResponse> {
  const response = signResponse(given, await backend.user(project))
  if (response !== undefined) return response
  throw new PipeError('not_found', `no question ${given.interaction_id} is open`)
}
