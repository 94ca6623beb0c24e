import { type ModelName, parseModelName, thinkingLevels } from '../config/model-name.ts'
import type { ServerSettings, Settings } from '../config/settings.ts'
import type { ModelChoice } from '../engine.ts'
import { PipeError } from '../error.ts'
import { createChatProvider } from '../openai/provider.ts'
import { builtinServers, type Server } from '../openai/servers.ts'
import { present } from '../present.ts'
import type { Provider } from '../provider.ts'
import type { Session } from '../session.ts'
import type { Transport } from '../transport.ts'
import type { Flags } from './args.ts'
import type { Host } from './host.ts'
import { findLocalModel } from './local-servers.ts'
import { nearest } from './nearest.ts'
import { openReplay } from './replay.ts'

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
  const name = parseModelName(text)
  const provider = await openProvider(name, sources)
  const given = thinkingLevels.find((level) => level === flags.text('thinking'))
  return { provider, model: name.model, ...present({ thinking: given ?? name.thinking }) }
}

function lastSpeaker(session: Session | undefined): string | undefined {
  const last = session?.messages.findLast((message) => message.type === 'assistant')
  return last?.provider === undefined || last.model === undefined
    ? undefined
    : `${last.provider}/${last.model}`
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
  return createChatProvider({ ...server, ...present({ apiKey }), transport, newId, clock })
}

/** A server by name: the built-in row, with what the user's settings and `<NAME>_BASE_URL` change of it. */
function findServer(name: string, settings: Settings, env: Host['env']): Server {
  const servers = settings.providers ?? {}
  const own: ServerSettings | undefined = Object.hasOwn(servers, name) ? servers[name] : undefined
  const row = builtinServers.find((server) => server.name === name)
  if (own === undefined && row === undefined) {
    const known = [...Object.keys(servers), ...builtinServers.map((server) => server.name), 'replay']
    const close = nearest(name, known)
    throw new PipeError(
      'config',
      `no provider is called ${name}${close === undefined ? '' : `; did you mean ${close}?`} There are: ${known.join(', ')}. ` +
        'Others are added under "providers" in config.json.',
    )
  }
  const baseUrl =
    own?.base_url ?? env[`${name.toUpperCase().replace(/[^A-Z0-9]/g, '_')}_BASE_URL`] ?? row?.baseUrl
  if (baseUrl === undefined) {
    throw new PipeError(
      'config',
      `providers.${name}.base_url is missing in config.json: expected an http or https URL`,
    )
  }
  const apiKeyEnv = own?.api_key_env ?? row?.apiKeyEnv
  return { ...row, name, baseUrl, ...present({ apiKeyEnv, headers: own?.headers }) }
}

async function defaultModel({ host, transport, signal }: ModelSources): Promise<string> {
  for (const { name, apiKeyEnv, defaultModel: model } of builtinServers) {
    if (apiKeyEnv !== undefined && model !== undefined && host.env[apiKeyEnv]) return `${name}/${model}`
  }
  const found = await findLocalModel(transport, host, signal)
  if (found !== undefined) return found
  throw new PipeError(
    'auth',
    [
      'no model to talk to. Three ways to start:',
      '  a key           export OPENAI_API_KEY=… (or OPENROUTER_API_KEY, MISTRAL_API_KEY, GROQ_API_KEY …)',
      '  a local server  start Ollama, LM Studio or llama.cpp, then: pipe -m ollama/MODEL "…"',
      '  your own        add any OpenAI-compatible server under "providers" in config.json',
      'To see the agent work without any of them: pipe demo',
    ].join('\n'),
  )
}
