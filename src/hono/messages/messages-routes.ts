import * as z from 'zod'
import { estimateFixed, estimateMessages } from '../../agent/compaction/token-estimate.ts'
import { respond } from '../chat/answer-response.ts'
import { openAnswer } from '../chat/open-answer.ts'
import { readingNow } from '../chat/sent-messages.ts'
import type { ChatParts } from '../chat/sent-question.ts'
import { defineRoute, nothing, type Route } from '../route.ts'
import { countBodySchema, messagesBodySchema } from './body.ts'
import { messagesFormat } from './encode.ts'
import { readHistory } from './history.ts'
import { readQuestion, readTools } from './question.ts'

const messageSchema = z.looseObject({
  id: z.string(),
  type: z.literal('message'),
  role: z.literal('assistant'),
  model: z.string(),
  content: z.array(z.looseObject({ type: z.enum(['text', 'thinking', 'tool_use']) })),
  stop_reason: z.string(),
  stop_sequence: z.null(),
  usage: z.looseObject({ input_tokens: z.int(), output_tokens: z.int() }),
})

const eventSchema = z.looseObject({
  type: z.enum([
    'message_start',
    'content_block_start',
    'content_block_delta',
    'content_block_stop',
    'message_delta',
    'message_stop',
    'error',
  ]),
})

/** The Messages API: of a model, whose calls go to the client; of our agent, if its name is given. */
export function messagesRoutes(parts: ChatParts): readonly Route[] {
  return [messageRoute(parts), countRoute(parts)]
}

function messageRoute(parts: ChatParts): Route {
  const { clock, newId } = parts
  return defineRoute({
    method: 'post',
    path: '/v1/messages',
    operation: 'createMessage',
    summary: 'Lets a model answer, whose calls go to the client; or as `pipe` or `agent/NAME` the agent',
    hasLargeBody: true,
    query: nothing,
    body: messagesBodySchema,
    answers: {
      200: {
        description: 'The answer. With `stream`, its events as they come.',
        schema: messageSchema,
        events: eventSchema,
      },
    },
    handle: ({ body, signal }) =>
      respond({
        clock,
        signal,
        isStreamed: body.stream === true,
        open: (options) => openAnswer(readQuestion(body, readingNow(parts)), parts, options),
        format: ({ model }) => {
          const tellsThinking = body.thinking?.type === 'enabled' || body.thinking?.type === 'adaptive'
          return messagesFormat({ id: `msg_${newId.message()}`, model }, tellsThinking)
        },
      }),
  })
}

function countRoute(parts: ChatParts): Route {
  return defineRoute({
    method: 'post',
    path: '/v1/messages/count_tokens',
    operation: 'countTokens',
    summary: 'Estimates the tokens of a message',
    hasLargeBody: true,
    query: nothing,
    body: countBodySchema,
    answers: { 200: { description: 'The estimate.', schema: z.object({ input_tokens: z.int() }) } },
    handle: async ({ body }) => {
      const { systemPrompt, messages } = readHistory(body, readingNow(parts))
      const tokens = estimateFixed(systemPrompt, readTools(body)) + estimateMessages(messages)
      return Response.json({ input_tokens: tokens })
    },
  })
}
