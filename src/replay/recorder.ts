import { isPipeError, type PipeError } from '../error.ts'
import type { JsonObject } from '../json-value.ts'
import type { AssistantMessage, ContentBlock, Message } from '../message.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { Provider, Stream } from '../provider.ts'

/** Records the replies of one conversation's providers. */
export interface Recorder {
  /** Wraps a provider to record its replies. */
  record(provider: Provider): Provider
  /** Returns the conversation so far as a script in its disk format; `undefined` without a reply. */
  script(): JsonObject | undefined
}

/** Creates a recorder of a conversation for replay. See docs/replay.md. */
export function createRecorder(): Recorder {
  const failures = new Map<number, Map<PipeError, JsonObject>>()
  let replies: readonly AssistantMessage[] = []

  const recorded = (stream: Stream, earlier: readonly AssistantMessage[]): Stream => {
    let deltas = 0
    const next = async () => {
      try {
        const step = await stream.next()
        if (step.done === true) replies = [...earlier, stream.message()]
        else deltas++
        return step
      } catch (error) {
        if (isPipeError(error) && error.code !== 'aborted') note(earlier.length, error, deltas)
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
  const note = (round: number, error: PipeError, after: number): void => {
    const before = failures.get(round) ?? new Map<PipeError, JsonObject>()
    failures.set(round, before.set(error, { code: error.code, message: error.message, after }))
  }

  return {
    record: (provider) => ({
      name: provider.name,
      stream: (request, options) =>
        recorded(provider.stream(request, options), request.messages.filter(isReply)),
    }),
    script: () => {
      const [first] = replies
      if (first === undefined) return undefined
      const rounds = replies.map((message, i) => ({
        ...toRound(message),
        fail: [...(failures.get(i)?.values() ?? [])],
      }))
      return { version: 1, ...omitUndefined({ model: first.model }), rounds }
    },
  }
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
