import { modelName } from '../../engine.ts'
import type { Provider, Request } from '../../provider.ts'
import { askWithMedia } from './refused-media.ts'
import type { AskOptions, AttemptedReply, ReplyStep } from './request-reply.ts'

/** Asks a model. If the server refuses a request with a form of the answer, asks once more without it, and remembers that. */
export async function* askInForm(
  provider: Provider,
  request: Request,
  asking: AskOptions & { readonly formless?: Set<string> },
): AsyncGenerator<ReplyStep, AttemptedReply, undefined> {
  const reply = yield* askWithMedia(provider, request, asking)
  const { formless } = asking
  if (formless === undefined || request.format === undefined || reply.error?.details['about'] !== 'form')
    return reply
  const { format: _, ...plain } = request
  const again = yield* askWithMedia(provider, plain, asking)
  if (again.error !== undefined) return reply
  formless.add(modelName({ provider, model: request.model }))
  return again
}
