import type { Usage } from '../../usage.ts'
import type { AnswerEnd, AnswerPart } from '../chat/answer.ts'
import type { AnswerFormat } from '../chat/answer-response.ts'
import type { SentEvent } from '../event-stream.ts'
import type { RefusalFacts } from '../refusal.ts'
import type { ServedResponsesBody } from './body.ts'
import { ItemEvents } from './events.ts'
import { type ItemFacts, itemOf } from './item.ts'

export interface ResponseHead {
  readonly id: string
  /** Seconds since 1970. */
  readonly created: number
  readonly model: string
  readonly body: ServedResponsesBody
}

/** Writes an answer as the Responses API does. */
export function responsesFormat(head: ResponseHead, facts: ItemFacts): AnswerFormat {
  const items = new ItemEvents(facts)
  return {
    part: (part) => encodePart(part, head, items),
    failure: (refusal) => {
      const failed = { status: 'failed', error: encodeFailure(refusal), output: items.output }
      return items.event('response.failed', { response: { ...encodeHead(head), ...failed } })
    },
    whole: (end) => {
      const output = (end.message?.content ?? []).flatMap((block) => itemOf(block, facts))
      return { ...encodeHead(head), ...encodeEnd(end), output }
    },
  }
}

function encodePart(part: AnswerPart, head: ResponseHead, items: ItemEvents): readonly SentEvent[] {
  switch (part.type) {
    case 'begin': {
      const response = { ...encodeHead(head), status: 'in_progress' }
      return [
        items.event('response.created', { response }),
        items.event('response.in_progress', { response }),
      ]
    }
    case 'text':
    case 'thinking':
      return items.speak(part.type, part.text)
    case 'call_begin':
      return items.beginCall(part)
    case 'call_delta':
      return items.continueCall(part)
    case 'events':
      return []
    case 'end': {
      const last = items.end()
      const response = { ...encodeHead(head), ...encodeEnd(part.end), output: items.output }
      return [...last, items.event(`response.${response.status}`, { response })]
    }
  }
}

function encodeHead({ id, created, model, body }: ResponseHead) {
  return {
    id,
    object: 'response',
    created_at: created,
    model,
    error: null,
    incomplete_details: null,
    output: [] as readonly object[],
    usage: null as object | null,
    metadata: {},
    store: false,
    instructions: body.instructions ?? null,
    temperature: body.temperature ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    tools: [],
    tool_choice: body.tool_choice ?? 'auto',
    parallel_tool_calls: body.parallel_tool_calls ?? true,
  }
}

function encodeEnd({ stopReason, usage }: AnswerEnd) {
  const reason =
    stopReason === 'length' ? 'max_output_tokens' : stopReason === 'refusal' ? 'content_filter' : undefined
  return {
    status: reason === undefined ? 'completed' : 'incomplete',
    incomplete_details: reason === undefined ? null : { reason },
    usage: encodeUsage(usage),
  }
}

function encodeUsage({ inputTokens, outputTokens, cacheReadTokens = 0, reasoningTokens = 0 }: Usage): object {
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cacheReadTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: inputTokens + outputTokens,
  }
}

/** The words by which clients decide whether to ask again. */
const codes: Readonly<Record<string, string>> = {
  CONTEXT_OVERFLOW: 'context_length_exceeded',
  RATE_LIMITED: 'rate_limit_exceeded',
  OVERLOADED: 'server_is_overloaded',
  INVALID_REQUEST: 'invalid_prompt',
}

function encodeFailure({ code, message }: RefusalFacts): object {
  return { code: codes[code] ?? 'server_error', message }
}
