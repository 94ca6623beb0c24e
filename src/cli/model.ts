import { type ModelName, parseModelName, thinkingLevels } from '../config/model-name.ts'
import { builtinServers } from '../config/servers.ts'
import type { Settings } from '../config/settings.ts'
import type { ModelChoice } from '../engine.ts'
import { PipeError } from '../error.ts'
import { createChatProvider } from '../openai/chat/provider.ts'
import { present } from '../present.ts'
import type { Provider } from '../provider.ts'
import type { Dialect, ServerAccess } from '../server.ts'
import type { Session } from '../session.ts'
import type { Transport } from '../transport.ts'
import type { Flags } from './args.ts'
import type { Host } from './host.ts'
import { findLocalModel } from './local-servers.ts'
import { openReplay } from './replay.ts'
import { findServer } from './server.ts'

export interface ModelSources {
  readonly flags: Flags
  readonly settings: Settings
  /** The session that goes on: with the model it was set to, or in files that never say so with the one that spoke last. */
  readonly session: Session | undefined
  readonly host: Host
  readonly transport: Transport
  readonly signal: AbortSignal
}

/** Decides who answers: the flag, the conversation's last model, the settings, a key in the environment, a local server. */
export async function chooseModel(sources: ModelSources): Promise<ModelChoice> {
  const { flags, settings, session } = sources
  const text =
    flags.text('model') ??
    session?.model ??
    lastSpeaker(session) ??
    settings.model ??
    (await defaultModel(sources))
  return openModel(text, sources)
}

/** A model by its name, `provider/model[:level]`; the flag's thinking level goes before the name's. */
export async function openModel(text: string, sources: ModelSources): Promise<ModelChoice> {
  const name = parseModelName(text)
  const provider = await openProvider(name, sources)
  const given = thinkingLevels.find((level) => level === sources.flags.text('thinking'))
  return { provider, model: name.model, ...present({ thinking: given ?? name.thinking }) }
}

function lastSpeaker(session: Session | undefined): string | undefined {
  const last = session?.messages.findLast((message) => message.type === 'assistant')
  return last?.provider === undefined || last.model === undefined
    ? undefined
    : `${last.provider}/${last.model}`
}

/** Who speaks each dialect. Loaded where it is asked for, but for the commonest. */
const open: Readonly<Record<Dialect, (access: ServerAccess) => Promise<Provider>>> = {
  'openai-chat': async (access) => createChatProvider(access),
  anthropic: async (access) => (await import('../anthropic/provider.ts')).createAnthropicProvider(access),
}

async function openProvider(name: ModelName, { settings, host, transport }: ModelSources): Promise<Provider> {
  const { newId, clock, env } = host
  if (name.provider === 'replay') return openReplay(name.model, host)
  const server = findServer(name.provider, settings, env)
  const apiKey = server.apiKeyEnv === undefined ? undefined : env[server.apiKeyEnv]
  if (server.apiKeyEnv !== undefined && (apiKey === undefined || apiKey === '')) {
    throw new PipeError('auth', `${server.name} needs a key: export ${server.apiKeyEnv}=…`, {
      details: { field: server.apiKeyEnv },
    })
  }
  return open[server.dialect]({ ...server, ...present({ apiKey }), transport, newId, clock })
}

async function defaultModel(sources: ModelSources): Promise<string> {
  for (const { name, apiKeyEnv, defaultModel: model } of builtinServers) {
    if (apiKeyEnv !== undefined && model !== undefined && sources.host.env[apiKeyEnv])
      return `${name}/${model}`
  }
  const found = await findLocalModel(sources)
  if (found !== undefined) return found
  throw new PipeError(
    'auth',
    [
      'no model to talk to. Three ways to start:',
      '  a key           export ANTHROPIC_API_KEY=… (or OPENAI_API_KEY, OPENROUTER_API_KEY, MISTRAL_API_KEY …)',
      '  a local server  start Ollama, LM Studio or llama.cpp, then: pipe -m ollama/MODEL "…"',
      '  your own        add any OpenAI-compatible server under "providers" in config.json',
      'To see the agent work without any of them: pipe demo',
    ].join('\n'),
  )
}
