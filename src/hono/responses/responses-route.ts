import * as z from 'zod'
import { respond } from '../chat/answer-response.ts'
import { openAnswer } from '../chat/open-answer.ts'
import { readingNow } from '../chat/sent-messages.ts'
import type { ChatParts } from '../chat/sent-question.ts'
import { defineRoute, nothing, type Route } from '../route.ts'
import { responsesBodySchema } from './body.ts'
import { responsesFormat } from './encode.ts'
import { customTools, readQuestion } from './question.ts'

const responseSchema = z.looseObject({
  id: z.string(),
  object: z.literal('response'),
  created_at: z.int(),
  model: z.string(),
  status: z.enum(['completed', 'incomplete']),
  output: z.array(z.looseObject({ id: z.string(), type: z.string() })),
  usage: z.looseObject({ input_tokens: z.int(), output_tokens: z.int(), total_tokens: z.int() }),
})

const eventSchema = z.looseObject({ type: z.string().regex(/^response\./), sequence_number: z.int() })

/** The Responses API: of a model, whose calls go to the client; of our agent, if its name is given. Nothing is kept. */
export function responsesRoute(parts: ChatParts): Route {
  const { clock, newId } = parts
  return defineRoute({
    method: 'post',
    path: '/v1/responses',
    operation: 'createResponse',
    summary: 'Lets a model answer, whose calls go to the client; or as `pipe` or `agent/NAME` the agent',
    hasLargeBody: true,
    query: nothing,
    body: responsesBodySchema,
    answers: {
      200: {
        description: 'The answer. With `stream`, its events as they come.',
        schema: responseSchema,
        events: eventSchema,
      },
    },
    handle: ({ body, signal }) => {
      const makeId = (prefix: string) => `${prefix}_${newId.message().replaceAll('-', '')}`
      return respond({
        clock,
        signal,
        isStreamed: body.stream === true,
        open: (options) => openAnswer(readQuestion(body, readingNow(parts)), parts, options),
        format: ({ model }) => {
          const head = { id: makeId('resp'), created: Math.floor(clock.now() / 1_000), model, body }
          return responsesFormat(head, { newId: makeId, custom: customTools(body) })
        },
      })
    },
  })
}
