import { authPath, changeKeys } from '../../config/auth-file.ts'
import { findDirectories } from '../../config/directories.ts'
import type { Settings } from '../../config/settings.ts'
import { PipeError, unreachable } from '../../error.ts'
import { lockHolder } from '../host.ts'
import { tell } from '../output.ts'
import type { Interruption } from '../signals.ts'
import { findKey, type KeySources, openKeys } from '../wiring/keys.ts'
import { keyHolder, providerNames, suggestion } from '../wiring/server.ts'
import { openSettings } from '../wiring/settings.ts'
import type { AuthCommand } from './auth-command.ts'
import type { CommandContext } from './run-command.ts'
import { readSecret } from './secret.ts'

export interface AuthContext extends CommandContext {
  readonly interruption: Interruption
}

/** Shows, stores and removes keys. Never writes a key, or a part of one, anywhere but into the file of keys. */
export async function runAuth(command: AuthCommand, context: AuthContext): Promise<void> {
  switch (command.action) {
    case 'list':
      return list(context)
    case 'status':
      return status(context)
    case 'set':
      return set(command.provider, context)
    case 'remove':
      return remove(command.provider, context)
    default:
      return unreachable(command)
  }
}

async function list({ host }: AuthContext): Promise<void> {
  for (const name of [...(await openKeys(host)).keys()].sort()) host.stdout.write(`${name}\n`)
}

async function status(context: AuthContext): Promise<void> {
  const { host } = context
  const settings = await readSettings(context)
  const sources = { env: host.env, stored: await openKeys(host) }
  const names = providerNames(settings)
  const width = Math.max(...names.map((name) => name.length))
  for (const name of names) {
    host.stdout.write(`${name.padEnd(width)}  ${describeKey(name, settings, sources)}\n`)
  }
}

function describeKey(name: string, settings: Settings, sources: KeySources): string {
  const holder = keyHolder(name, settings)
  const found = findKey(holder, sources)
  if (found !== undefined) {
    const isCovered = found.source === holder.apiKeyEnv && sources.stored.has(name)
    return isCovered ? `${found.source}, which goes before auth.json` : found.source
  }
  const { apiKeyEnv } = holder
  return apiKeyEnv === undefined ? 'none needed' : `none: export ${apiKeyEnv}=… or pipe auth set ${name}`
}

async function set(provider: string, context: AuthContext): Promise<void> {
  const { host, interruption } = context
  const settings = await readSettings(context)
  const known = providerNames(settings)
  if (!known.includes(provider)) {
    throw new PipeError(
      'usage',
      `no provider is called ${provider}${suggestion(provider, known) || '.'} There are: ${known.join(', ')}`,
    )
  }
  const key = checkKey(await readSecret(`Key for ${provider}, which is not shown: `, interruption))
  const path = await change(context, (keys) => keys.set(provider, key))
  host.stdout.write(`the key for ${provider} is stored in ${path}\n`)
  const found = findKey(keyHolder(provider, settings), { env: host.env, stored: new Map() })
  if (found !== undefined) tell(host, `${found.source} is set and goes before it`)
}

/** Also a provider that the settings no longer name. */
async function remove(provider: string, context: AuthContext): Promise<void> {
  const stored = await openKeys(context.host)
  if (!stored.has(provider)) {
    throw new PipeError(
      'not_found',
      `no key is stored for ${provider}${suggestion(provider, [...stored.keys()])}`,
    )
  }
  const path = await change(context, (keys) => keys.delete(provider))
  context.host.stdout.write(`the key for ${provider} is gone from ${path}\n`)
}

async function readSettings({ host, flags }: AuthContext): Promise<Settings> {
  return (await openSettings(host, flags)).settings
}

async function change(
  { host, signal }: AuthContext,
  apply: (keys: Map<string, string>) => void,
): Promise<string> {
  const { config } = findDirectories(host.env, host.home)
  await changeKeys(config, apply, lockHolder(host, signal))
  return authPath(config)
}

function checkKey(text: string): string {
  const key = text.trim()
  if (key === '') throw new PipeError('input', 'no key was given; nothing is stored')
  if (/^[\x21-\x7e]+$/.test(key)) return key
  throw new PipeError(
    'input',
    'a key is one word of plain characters, without spaces and control characters; nothing is stored',
  )
}
