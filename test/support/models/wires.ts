import { expect, onTestFinished } from 'vitest'
import { createAnthropicProvider } from '../../../src/anthropic/provider.ts'
import { createGeminiProvider } from '../../../src/google/provider.ts'
import { createTransport, type TransportOptions } from '../../../src/http/transport.ts'
import type { Dialect, ServerAccess } from '../../../src/machine/model-server.ts'
import { createOllamaProvider } from '../../../src/ollama/provider.ts'
import { createChatProvider } from '../../../src/openai/chat/provider.ts'
import { createResponsesProvider } from '../../../src/openai/responses/provider.ts'
import type { Provider } from '../../../src/provider.ts'
import type { ScriptBlock } from '../../../src/replay/script.ts'
import { createHandClock } from '../clocks/hand-clock.ts'
import { otherIds } from '../messages/ids.ts'
import { messageEvents } from '../vendors/anthropic-sse.ts'
import { replyEvents } from '../vendors/chat-sse.ts'
import { geminiEvents } from '../vendors/gemini-sse.ts'
import { replyLines } from '../vendors/ollama-lines.ts'
import { responseEvents } from '../vendors/responses-sse.ts'
import {
  type FakeReply,
  type FakeServer,
  startFakeAnthropic,
  startFakeGemini,
  startFakeOllama,
  startFakeResponses,
  startFakeServer,
} from './fake-server.ts'

/** A dialect with its fake server, its provider and its wire format. */
export interface Wire {
  readonly dialect: Dialect
  readonly start: (...replies: readonly FakeReply<unknown>[]) => Promise<FakeServer<unknown>>
  readonly connect: (access: ServerAccess) => Provider
  /** Encodes a whole reply as events. */
  readonly events: (blocks: readonly ScriptBlock[]) => readonly string[]
  /** Number of its last events that only add usage. */
  readonly spare: number
  /** A keep-alive event. */
  readonly ping: string
  /** An overload error, also sent in the middle of a reply. */
  readonly busy: object
  /** Encodes a value as an event. */
  readonly frame: (chunk: unknown) => string
}

const serverSent: Pick<Wire, 'ping' | 'frame'> = {
  ping: ': ping\n\n',
  frame: (chunk) => `data: ${JSON.stringify(chunk)}\n\n`,
}

/** Wires by dialect. */
export const wireOf: Readonly<Record<Dialect, Wire>> = {
  anthropic: {
    dialect: 'anthropic',
    start: startFakeAnthropic,
    connect: createAnthropicProvider,
    events: messageEvents,
    spare: 0,
    ...serverSent,
    ping: 'event: ping\ndata: {"type": "ping"}\n\n',
    busy: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
  },
  'openai-chat': {
    dialect: 'openai-chat',
    start: startFakeServer,
    connect: createChatProvider,
    events: replyEvents,
    spare: 2,
    ...serverSent,
    busy: { error: { message: 'Overloaded', code: 503 } },
  },
  'openai-responses': {
    dialect: 'openai-responses',
    start: startFakeResponses,
    connect: createResponsesProvider,
    events: responseEvents,
    spare: 0,
    ...serverSent,
    busy: { type: 'error', error: { code: 'server_is_overloaded', message: 'Overloaded', param: null } },
  },
  gemini: {
    dialect: 'gemini',
    start: startFakeGemini,
    connect: createGeminiProvider,
    events: geminiEvents,
    spare: 0,
    ...serverSent,
    busy: { error: { code: 503, message: 'Overloaded', status: 'UNAVAILABLE' } },
  },
  ollama: {
    dialect: 'ollama',
    start: startFakeOllama,
    connect: createOllamaProvider,
    events: replyLines,
    spare: 0,
    ping: '\n',
    busy: { error: 'Overloaded' },
    frame: (chunk) => `${JSON.stringify(chunk)}\n`,
  },
}

export const wires: readonly Wire[] = Object.values(wireOf)

export interface Wired {
  readonly server: FakeServer<unknown>
  readonly provider: Provider
}

/** Opens a server with these replies and a provider for it. Closes both after the test, which fails on rule violations. */
export async function openWire(
  wire: Wire,
  replies: readonly FakeReply<unknown>[] = [],
  options: TransportOptions = {},
): Promise<Wired> {
  const server = await wire.start(...replies)
  const transport = createTransport(options)
  onTestFinished(async () => {
    transport.close()
    await server.close()
    expect(server.violations).toEqual([])
  })
  const { baseUrl } = server
  const ports = { transport, newId: otherIds(), clock: createHandClock() }
  return { server, provider: wire.connect({ name: wire.dialect, baseUrl, ...ports }) }
}
