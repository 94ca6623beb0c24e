import { modelName } from '../../engine.ts'
import type { AgentFact } from '../../event.ts'
import { isMedia, mediaName } from '../../media/media-support.ts'
import type { ContentBlock, Message } from '../../message.ts'
import type { Provider, Request } from '../../provider.ts'
import type { IncomingReply } from './incoming-reply.ts'
import { askWithThoughts } from './refused-thoughts.ts'
import { type AskOptions, type AttemptedReply, annotated } from './request-reply.ts'

/** Fields of a reply's metadata: the ids of earlier messages whose media the server refused, and the model that it served. */
const refusedField = 'refused_media'
const refusedBy = 'refused_media_by'

/** Asks a model. If the server refuses an image or a document, asks once more without it, and says so in the reply's metadata. */
export async function* askWithMedia(
  provider: Provider,
  request: Request,
  asking: AskOptions,
): AsyncGenerator<
  IncomingReply | Extract<AgentFact, { type: 'retry' | 'notice' }>,
  AttemptedReply,
  undefined
> {
  const first = yield* askWithThoughts(provider, request, asking)
  let reply = first
  for (const messages of suspects(request.messages)) {
    if (reply.error?.details['about'] !== 'media') return reply
    const what = messages.flatMap(({ content }) => content.filter(isMedia).map(mediaName)).join(', ')
    yield { type: 'notice', text: `${reply.error.message}; asking again without ${what}` }
    const ids = messages.map(({ id }) => id)
    reply = yield* askWithThoughts(
      provider,
      { ...request, messages: withNotes(request.messages, ids) },
      asking,
    )
    if (reply.error !== undefined) continue
    const name = modelName({ provider, model: request.model })
    const notes = { [refusedField]: ids.join(' '), [refusedBy]: name }
    return { ...reply, message: annotated(reply.message, notes) }
  }
  return reply.error?.details['about'] === 'media' ? first : reply
}

/** Puts notes in the place of all media that the server of a model has refused, as `provider/model`. */
export function withoutRefused(messages: readonly Message[], model: string): readonly Message[] {
  const ids = messages.flatMap(({ metadata }) =>
    metadata?.[refusedBy] === model ? (metadata[refusedField] ?? '').split(' ') : [],
  )
  return ids.length === 0 ? messages : withNotes(messages, ids)
}

/** Returns the messages whose media may be to blame: first those that no reply has followed yet, then all. */
function suspects(messages: readonly Message[]): readonly (readonly Message[])[] {
  const all = messages.filter(({ content }) => content.some(isMedia))
  const answered = messages.slice(0, messages.findLastIndex(({ type }) => type === 'assistant') + 1)
  const fresh = all.filter((message) => !answered.includes(message))
  return [fresh, all].filter(({ length }, i) => length > 0 && (i === 0 || length > fresh.length))
}

function withNotes(messages: readonly Message[], ids: readonly string[]): readonly Message[] {
  return messages.map((message) =>
    ids.includes(message.id) ? { ...message, content: message.content.map(noteOf) } : message,
  )
}

function noteOf(block: ContentBlock): ContentBlock {
  return isMedia(block) ? { type: 'text', text: `(${mediaName(block)}, which the server refused)` } : block
}
