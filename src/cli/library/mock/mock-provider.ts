import { PipeError } from '../../../error.ts'
import type { JsonValue } from '../../../json-value.ts'
import type { Provider, Request } from '../../../provider.ts'
import type { AdapterEvent, Finish } from '../../../reply/accumulator.ts'
import type { StopReason, Usage } from '../../../usage.ts'
import { defineProvider } from '../define-provider.ts'

/** A block of a reply. A call without an id gets `call_1`, `call_2` … in the order of the provider's replies. */
export type MockBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly thinking: string }
  | { readonly type: 'tool_call'; readonly id?: string; readonly name: string; readonly arguments: JsonValue }

/** A reply: a text, blocks, an error instead of one, or blocks and how they end. */
export type MockReply =
  | string
  | readonly MockBlock[]
  | Error
  | {
      readonly blocks: readonly MockBlock[]
      /** Default: `tool_use` with calls, else `end_turn`. */
      readonly stopReason?: StopReason
      /** Default: 10 tokens of input and 5 of output. */
      readonly usage?: Usage
      /** Follows the blocks, as from a server that breaks off. */
      readonly error?: Error
      /** The reply hangs after its blocks until it is closed or its signal fires. Default: false. */
      readonly hangs?: boolean
    }

/** Makes a reply. The signal fires once nobody wants it any more. */
export type MakeReply = (
  request: Request,
  options: { readonly signal: AbortSignal },
) => MockReply | Promise<MockReply>

/** A provider without a model. */
export interface MockProvider extends Provider {
  /** All requests so far. */
  readonly requests: readonly Request[]
}

/**
 * Makes a provider that gives these replies one after the other, each in pieces, or what a function makes of a request. A request past the
 * last reply throws `input`.
 */
export function mockProvider(replies: readonly MockReply[] | MakeReply, name = 'mock'): MockProvider {
  const requests: Request[] = []
  let calls = 0
  const nextId = () => `call_${++calls}`
  const provider = defineProvider(name, (request) => {
    const number = requests.push(request)
    return async function* (signal) {
      const reply = typeof replies === 'function' ? await replies(request, { signal }) : replies[number - 1]
      if (reply === undefined)
        throw new PipeError('input', `the mock has only ${replies.length} replies, but another was requested`)
      return yield* play(reply, { signal, nextId })
    }
  })
  return { name, requests, stream: (request, options) => provider.stream(request, options) }
}

interface Playing {
  readonly signal: AbortSignal
  readonly nextId: () => string
}

async function* play(
  reply: MockReply,
  { signal, nextId }: Playing,
): AsyncGenerator<AdapterEvent, Finish, undefined> {
  if (reply instanceof Error) throw reply
  const given = typeof reply === 'string' ? { blocks: [{ type: 'text', text: reply } as const] } : reply
  const { blocks, stopReason, usage = usual, error, hangs } = 'blocks' in given ? given : { blocks: given }
  for (const [index, block] of blocks.entries()) yield* pieces(block, `block_${index}`, nextId)
  if (hangs === true) await fired(signal)
  if (error !== undefined) throw error
  const hasCalls = blocks.some(({ type }) => type === 'tool_call')
  return { stopReason: stopReason ?? (hasCalls ? 'tool_use' : 'end_turn'), usage }
}

const usual: Usage = { inputTokens: 10, outputTokens: 5 }

/** Splits a block into deltas, a word each. */
function* pieces(block: MockBlock, id: string, nextId: () => string): Generator<AdapterEvent> {
  if (block.type === 'text') for (const delta of words(block.text)) yield { type: 'text_delta', id, delta }
  if (block.type === 'thinking')
    for (const delta of words(block.thinking)) yield { type: 'thinking_delta', id, delta }
  if (block.type !== 'tool_call') return
  const callId = block.id ?? nextId()
  yield { type: 'tool_call_begin', id: callId, name: block.name }
  yield { type: 'tool_call_delta', id: callId, delta: JSON.stringify(block.arguments) }
}

function words(text: string): readonly string[] {
  return text.match(/\s*\S+|\s+/g) ?? []
}

/** Rejects with the reason of a signal once it fires. */
function fired(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
