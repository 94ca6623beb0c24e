import type * as z from 'zod'
import {
  canonicalHistory,
  createCanonicalMessage,
  encodeCanonicalMessage,
  encodeTokenUsage,
  formatTime,
} from '../../canonical/canonical.ts'
import { textContent } from '../../message.ts'
import { errorBody } from '../refusal.ts'
import { defineRoute, nothing, type Route } from '../route.ts'
import type { AnswerEnd } from './answer.ts'
import { type AnswerFormat, respond } from './answer-response.ts'
import { canonicalEventSchema, canonicalRequestSchema, canonicalResponseSchema } from './canonical-schema.ts'
import { openAnswer } from './open-answer.ts'
import { visibleHistory } from './sent-history.ts'
import type { ChatParts, SentQuestion } from './sent-question.ts'

type CanonicalRequest = z.infer<ReturnType<typeof canonicalRequestSchema>>

/** A chat in canonical messages, which our agent answers. */
export function canonicalRoute(parts: ChatParts): Route {
  const { clock } = parts
  return defineRoute({
    method: 'post',
    path: '/v1/canonical/chat',
    operation: 'chat',
    summary: 'Lets the agent answer canonical messages',
    hasLargeBody: true,
    query: nothing,
    body: canonicalRequestSchema(() => clock.now()),
    refusal: 'Invalid request format',
    answers: {
      200: {
        description: 'The answer. With `stream`, its text as it comes, then the same.',
        schema: canonicalResponseSchema,
        events: canonicalEventSchema,
      },
    },
    handle: ({ body, signal }) =>
      respond({
        clock,
        signal,
        isStreamed: body.stream,
        open: (options) => openAnswer(readQuestion(body), parts, options),
        format: ({ model }) => canonicalFormat(model, parts),
      }),
  })
}

function readQuestion({ messages, temperature, max_tokens, model }: CanonicalRequest): SentQuestion {
  return {
    ...visibleHistory(canonicalHistory(messages)),
    model: model ?? undefined,
    temperature: temperature ?? undefined,
    maxTokens: max_tokens ?? undefined,
  }
}

function canonicalFormat(model: string, { clock, newId }: ChatParts): AnswerFormat {
  const encode = ({ message, usage }: AnswerEnd) => {
    const said = message === undefined ? '' : textContent(message)
    const facts = { id: message?.id ?? newId.message(), timestamp: formatTime(clock.now()) }
    return {
      message: encodeCanonicalMessage(createCanonicalMessage('assistant', said, facts)),
      model,
      usage: encodeTokenUsage(usage),
    }
  }
  return {
    part: (part) => {
      if (part.type === 'text') return [{ event: 'text', data: JSON.stringify({ text: part.text }) }]
      return part.type === 'end' ? [{ event: 'response', data: JSON.stringify(encode(part.end)) }] : []
    },
    failure: (facts) => ({ event: 'error', data: JSON.stringify(errorBody(facts)) }),
    whole: encode,
  }
}
