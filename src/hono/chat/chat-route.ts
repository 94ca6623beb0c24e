import { chatErrorBody } from '../refusal.ts'
import { defineRoute, nothing, type Route } from '../route.ts'
import { type AnswerFormat, respond } from './answer-response.ts'
import { chatBodySchema, type ServedChatBody } from './chat-body.ts'
import { chunkOrErrorSchema, completionSchema, encodeCompletion, encodePart } from './chat-completion.ts'
import { readHistory } from './chat-history.ts'
import { readToolChoice, readTools } from './chat-tools.ts'
import { openAnswer } from './open-answer.ts'
import { readChatFormat, readStop } from './reply-options.ts'
import { readingNow } from './sent-messages.ts'
import type { ChatParts, SentQuestion } from './sent-question.ts'

/** Chat completions: of our agent; or of a model, if the client brings tools of its own. */
export function chatRoute(parts: ChatParts): Route {
  const { clock } = parts
  return defineRoute({
    method: 'post',
    path: '/v1/chat/completions',
    operation: 'createChatCompletion',
    summary:
      'Lets the agent answer; with `tools`, or as `model/NAME`, a model does, whose calls go to the client',
    hasLargeBody: true,
    query: nothing,
    body: chatBodySchema,
    answers: {
      200: {
        description: 'The answer. With `stream`, its chunks as they come.',
        schema: completionSchema,
        events: chunkOrErrorSchema,
      },
    },
    handle: ({ body, signal }) =>
      respond({
        clock,
        signal,
        isStreamed: body.stream === true,
        open: (options) => openAnswer(readQuestion(body, parts), parts, options),
        format: ({ model }) => completionFormat(body, model, parts),
      }),
  })
}

function readQuestion(body: ServedChatBody, parts: ChatParts): SentQuestion {
  const { model, temperature, max_tokens, max_completion_tokens, reasoning_effort: effort } = body
  return {
    ...readHistory(body.messages, readingNow(parts)),
    tools: readTools(body.tools),
    tellsEvents: body.pipe?.events === true,
    model: model ?? undefined,
    temperature: temperature ?? undefined,
    maxTokens: max_completion_tokens ?? max_tokens ?? undefined,
    thinking: effort === 'none' ? ('off' as const) : (effort ?? undefined),
    toolChoice: readToolChoice(body.tool_choice),
    stop: readStop(body.stop),
    format: readChatFormat(body.response_format),
    parallelCalls: body.parallel_tool_calls ?? undefined,
  }
}

function completionFormat(
  { stream_options, pipe }: ServedChatBody,
  model: string,
  { clock, newId }: ChatParts,
): AnswerFormat {
  const head = {
    id: `chatcmpl-${newId.message()}`,
    created: Math.floor(clock.now() / 1_000),
    model,
  }
  const includesUsage = stream_options?.include_usage === true
  return {
    part: (part) => [
      ...encodePart(part, head, includesUsage).map((chunk) => ({ data: JSON.stringify(chunk) })),
      ...(part.type === 'end' ? [{ data: '[DONE]' }] : []),
    ],
    failure: (facts) => ({ data: JSON.stringify(chatErrorBody(facts)) }),
    whole: (end, lines) => encodeCompletion(end, head, pipe?.events === true ? lines : undefined),
  }
}
