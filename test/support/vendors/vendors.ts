import { builtinServers } from '../../../src/config/models/servers.ts'
import type { Quirks } from '../../../src/machine/model-server.ts'
import type { ModelInfo } from '../../../src/model.ts'
import { omitUndefined } from '../../../src/omit-undefined.ts'
import type { ScriptBlock } from '../../../src/replay/script.ts'
import { startFakeChat } from '../models/fake-server.ts'
import { type Wire, wireOf } from '../models/wires.ts'
import type { ChatRules } from './chat-rules.ts'
import { replyEvents } from './chat-sse.ts'

/** A vendor: how strict its server is, and which thinking it needs back. */
export interface Vendor extends Pick<Wire, 'start' | 'connect' | 'events'> {
  /** Name of the provider. */
  readonly name: string
  readonly model: string
  readonly quirks?: Quirks
  /** Known facts about the model. */
  readonly info?: ModelInfo
  /** Call id, if the default of `events` does not fit the vendor. */
  readonly callId?: (number: number) => string
  /** Proofs of `events` that must come back, each with the type of its block; `thought` is the thinking itself. */
  readonly wantsBack: Readonly<Record<string, ScriptBlock['type']>>
  /** Whether thinking must come back even if the block after it was cut off. */
  readonly wantsCut?: true
}

/** One vendor per dialect. */
export const vendors: readonly Vendor[] = [
  {
    ...wireOf.anthropic,
    name: 'anthropic',
    model: 'claude-sonnet-4-5',
    wantsBack: { thought: 'thinking', sig: 'thinking' },
    wantsCut: true,
  },
  chat(
    'openrouter',
    { reasoning: 'reasoning_details' },
    { events: detailedEvents, wantsBack: { enc: 'thinking' } },
  ),
  {
    ...wireOf['openai-responses'],
    name: 'openai',
    model: 'gpt-5',
    wantsBack: { thought: 'thinking', enc: 'thinking', rs: 'thinking', msg: 'text', fc: 'tool_call' },
  },
  {
    ...wireOf.gemini,
    name: 'gemini',
    model: 'gemini-3-pro-preview',
    wantsBack: { sig: 'tool_call' },
  },
  {
    ...wireOf.ollama,
    name: 'ollama',
    model: 'fake-1',
    wantsBack: { thought: 'thinking' },
    wantsCut: true,
  },
]

/** Vendors that share a dialect with others and differ in data. */
export const variants: readonly Vendor[] = [
  chat(
    'mistral',
    { callIdLength: 9, acknowledged: true },
    { callId: (number) => `aBc${String(number).padStart(6, '0')}` },
  ),
  chat('azure', {}),
  chat(
    'deepseek',
    { reasoning: 'reasoning_content' },
    { wantsBack: { thought: 'thinking' }, wantsCut: true },
  ),
  chat(
    'groq',
    { blind: true },
    { info: { provider: 'groq', id: 'chat-1', images: false, documents: false } },
  ),
]

/** A Chat Completions server with its known quirks. */
function chat(name: string, rules: ChatRules, more: Partial<Vendor> = {}): Vendor {
  return {
    ...wireOf['openai-chat'],
    start: () => startFakeChat(rules),
    name,
    model: 'chat-1',
    wantsBack: {},
    ...omitUndefined({ quirks: builtinServers.find((server) => server.name === name)?.quirks }),
    ...more,
  }
}

/** Chat Completions of OpenRouter, with proofs of thinking. */
function detailedEvents(blocks: readonly ScriptBlock[]): readonly string[] {
  if (!blocks.some(({ type }) => type === 'thinking')) return replyEvents(blocks)
  const reasoning_details = [{ type: 'reasoning.encrypted', data: 'enc_0', index: 0 }]
  const choices = [{ index: 0, delta: { reasoning_details }, finish_reason: null }]
  const [first = '', ...rest] = replyEvents(blocks)
  return [first, `data: ${JSON.stringify({ id: 'chatcmpl-1', model: 'fake-1', choices })}\n\n`, ...rest]
}
