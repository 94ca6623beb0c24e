import { modelName } from '../engine.ts'
import { isSurvivable, type PipeError } from '../error.ts'
import type { JsonObject } from '../json-value.ts'
import { type AssistantMessage, type ContentBlock, isMark, type Message } from '../message.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { Provider, Request, Stream } from '../provider.ts'

/** Records the replies of one conversation's providers. */
export interface Recorder {
  /** Wraps a provider to record its replies. */
  record(provider: Provider): Provider
  /** Returns the conversation so far as a script in its disk format; `undefined` without a reply. */
  script(): JsonObject | undefined
}

/** A failed try at a reply. */
interface Failure {
  /** `provider/model` that was asked. */
  readonly by: string
  /** The number of deltas before it. */
  readonly after: number
}

/** Creates a recorder of a conversation for replay. See docs/replay.md. */
export function createRecorder(): Recorder {
  const failures = new Map<number, Map<PipeError, Failure>>()
  let replies: readonly AssistantMessage[] = []

  const recorded = (stream: Stream, by: string, earlier: readonly AssistantMessage[]): Stream => {
    let deltas = 0
    const next = async () => {
      try {
        const step = await stream.next()
        if (step.done !== true) deltas++
        else {
          replies = [...earlier, stream.message()]
          forgetOthers(earlier.length, by)
        }
        return step
      } catch (error) {
        if (isSurvivable(error)) note(earlier.length, error, { by, after: deltas })
        throw error
      }
    }
    return {
      next,
      message: () => stream.message(),
      close: () => stream.close(),
      [Symbol.asyncDispose]: () => stream.close(),
      [Symbol.asyncIterator]: () => ({ ...stream[Symbol.asyncIterator](), next }),
    }
  }

  /** Records a failure once, even if it is thrown again. */
  const note = (round: number, error: PipeError, failure: Failure): void => {
    const before = failures.get(round) ?? new Map<PipeError, Failure>()
    failures.set(round, before.set(error, failure))
  }

  /** Forgets the failures of models that this one replaced, because a script has one model. */
  const forgetOthers = (round: number, by: string): void => {
    const own = [...(failures.get(round) ?? [])].filter(([, failure]) => failure.by === by)
    failures.set(round, new Map(own))
  }

  const failuresOf = (round: number): readonly JsonObject[] =>
    [...(failures.get(round) ?? [])].map(([{ code, message }, { after }]) => ({ code, message, after }))

  return {
    record: (provider) => ({
      name: provider.name,
      stream: (request, options) => {
        const stream = provider.stream(request, options)
        if (isAside(request, replies)) return stream
        const by = modelName({ provider, model: request.model })
        return recorded(stream, by, repliesBefore(request, replies))
      },
    }),
    script: () => {
      const [first] = replies
      if (first === undefined) return undefined
      const rounds = replies.map((message, i) => ({
        ...toRound(message),
        fail: failuresOf(i),
      }))
      return { version: 1, ...omitUndefined({ model: first.model }), rounds }
    },
  }
}

/** Whether a request is not of the conversation, such as one for a summary: it holds one text, and no tools. */
function isAside({ messages, tools }: Request, replies: readonly AssistantMessage[]): boolean {
  return replies.length > 0 && tools.length === 0 && messages.length === 1 && !messages.some(isMark)
}

/** Returns the replies that a request goes on from, with those that a summary stands for. */
function repliesBefore(
  { messages }: Request,
  replies: readonly AssistantMessage[],
): readonly AssistantMessage[] {
  const sent = messages.filter(isReply)
  const last = sent.at(-1)
  if (last === undefined) return messages.some(isMark) ? replies : []
  const at = replies.findLastIndex(({ id }) => id === last.id)
  // Those of an earlier run are known from the request alone.
  return at < 0 ? sent : replies.slice(0, at + 1)
}

function isReply(message: Message): message is AssistantMessage {
  return message.type === 'assistant'
}

function toRound({ content, stopReason, usage }: AssistantMessage): JsonObject {
  const { inputTokens, outputTokens } = usage
  return {
    blocks: content.flatMap(toBlock),
    stop_reason: stopReason,
    usage: { input_tokens: inputTokens, output_tokens: outputTokens },
  }
}

/** Converts a block to the script's format, which cannot express the broken arguments of a cut call. */
function toBlock(block: ContentBlock): readonly JsonObject[] {
  switch (block.type) {
    case 'text':
      return [{ type: 'text', text: block.text }]
    case 'thinking':
      return block.thinking === '' ? [] : [{ type: 'thinking', thinking: block.thinking }]
    case 'tool_call':
      return [{ type: 'tool_call', id: block.id, name: block.name, arguments: block.arguments }]
    default:
      return []
  }
}
