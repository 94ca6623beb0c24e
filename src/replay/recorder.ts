import { isPipeError, type PipeError } from '../error.ts'
import type { JsonObject } from '../json-value.ts'
import type { AssistantMessage, ContentBlock, Message } from '../message.ts'
import { present } from '../present.ts'
import type { Provider, Stream } from '../provider.ts'

/** Remembers what the providers of one conversation say. */
export interface Recorder {
  /** The same provider, passed through and listened to. */
  record(provider: Provider): Provider
  /** The conversation so far as a script, in its form on disk; `undefined` where nothing was said. */
  script(): JsonObject | undefined
}

/** Keeps a conversation as a script that plays it again; see docs/replay.md. */
export function createRecorder(): Recorder {
  const failures = new Map<number, Map<PipeError, JsonObject>>()
  let said: readonly AssistantMessage[] = []

  const recorded = (stream: Stream, earlier: readonly AssistantMessage[]): Stream => {
    let deltas = 0
    const next = async () => {
      try {
        const step = await stream.next()
        if (step.done === true) said = [...earlier, stream.message()]
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

  /** A failure is told once, also where it is thrown again. */
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
      const [first] = said
      if (first === undefined) return undefined
      const rounds = said.map((message, i) => ({
        ...toRound(message),
        fail: [...(failures.get(i)?.values() ?? [])],
      }))
      return { version: 1, ...present({ model: first.model }), rounds }
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

/** What a script can say; a call that was cut can only be told of. */
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
