import { builtinServers } from '../../src/config/servers.ts'
import type { ModelInfo } from '../../src/model.ts'
import { present } from '../../src/present.ts'
import type { ScriptBlock } from '../../src/replay/script.ts'
import type { Quirks } from '../../src/server.ts'
import type { ChatRules } from './chat-rules.ts'
import { replyEvents } from './chat-sse.ts'
import { startFakeChat } from './fake-server.ts'
import { type Wire, wireOf } from './wires.ts'

/** Someone who has models: how strict the server is, and what of its thinking it wants back. */
export interface Vendor extends Pick<Wire, 'start' | 'connect' | 'events'> {
  /** The provider's. */
  readonly name: string
  readonly model: string
  readonly quirks?: Quirks
  /** What is known of the model. */
  readonly info?: ModelInfo
  /** The id of a call, where the one that `events` gives is not like the vendor's own. */
  readonly callId?: (number: number) => string
  /** The proofs of `events` that are to come back, with the block that each belongs to; `thought` is the thinking itself. */
  readonly wantsBack: Readonly<Record<string, ScriptBlock['type']>>
  /** Whether the thinking of a reply comes back also where what followed it was cut. */
  readonly wantsCut?: true
}

/** One of each dialect. */
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

/** Those who speak a dialect of the above and differ in data. */
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

/** A server of Chat Completions with the quirks that it is known to have. */
function chat(name: string, rules: ChatRules, more: Partial<Vendor> = {}): Vendor {
  return {
    ...wireOf['openai-chat'],
    start: () => startFakeChat(rules),
    name,
    model: 'chat-1',
    wantsBack: {},
    ...present({ quirks: builtinServers.find((server) => server.name === name)?.quirks }),
    ...more,
  }
}

/** Chat Completions as OpenRouter speaks them: with a proof of the thinking. */
function detailedEvents(blocks: readonly ScriptBlock[]): readonly string[] {
  if (!blocks.some(({ type }) => type === 'thinking')) return replyEvents(blocks)
  const reasoning_details = [{ type: 'reasoning.encrypted', data: 'enc_0', index: 0 }]
  const choices = [{ index: 0, delta: { reasoning_details }, finish_reason: null }]
  const [first = '', ...rest] = replyEvents(blocks)
  return [first, `data: ${JSON.stringify({ id: 'chatcmpl-1', model: 'fake-1', choices })}\n\n`, ...rest]
}
