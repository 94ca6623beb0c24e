import { authPath, changeKeys } from '../../config/auth-file.ts'
import { findDirectories } from '../../config/directories.ts'
import type { Settings } from '../../config/settings.ts'
import { PipeError } from '../../error.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { printWarning } from '../../terminal/output.ts'
import { printableJson } from '../../terminal/printable-json.ts'
import { readOwnSettings } from '../choices.ts'
import { lockHolder } from '../machine.ts'
import type { RunContext } from '../run-context.ts'
import { keyHolder, providerNames, suggestion, unknownName } from '../wiring/model/chosen-server.ts'
import { findKey, type KeySources, openKeys, readKeyText } from '../wiring/model/provider-keys.ts'
import { openToOthers } from '../wiring/open-to-others.ts'
import { openSettings } from '../wiring/read-settings.ts'
import { JsonList } from './json-list.ts'
import { readSecret } from './secret.ts'

/** Lists the providers that have a stored key. */
export async function listStored({ host, flags }: RunContext): Promise<void> {
  const stored = [...(await openKeys(host)).keys()].sort()
  const text = flags.format === 'json' ? [printableJson({ stored })] : stored
  for (const line of text) host.stdout.write(`${line}\n`)
}

/** Shows where each provider's key comes from, or one provider's. Never prints any part of a key. Throws `usage`. */
export async function showKeys(provider: string | undefined, context: RunContext): Promise<void> {
  const { host, flags } = context
  const settings = await readSettings(context)
  const sources = { env: host.env, stored: await openKeys(host) }
  if (provider !== undefined) requireProvider(provider, settings)
  const names = provider === undefined ? providerNames(settings) : [provider]
  if (flags.format === 'json') {
    const listed = new JsonList(host.stdout, 'providers')
    for (const name of names) listed.add(encodeKey(name, settings, sources))
    listed.end()
    return
  }
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
    return isCovered ? `${found.source}, which overrides auth.json` : found.source
  }
  const { apiKeyEnv } = holder
  return apiKeyEnv === undefined ? 'none needed' : `none: export ${apiKeyEnv}=… or pipe auth set ${name}`
}

/** `variable` is the environment variable to set when there is no key. */
function encodeKey(name: string, settings: Settings, sources: KeySources): object {
  const holder = keyHolder(name, settings)
  const source = findKey(holder, sources)?.source
  const usable = source !== undefined || holder.apiKeyEnv === undefined
  return { provider: name, usable, ...omitUndefined({ source, variable: holder.apiKeyEnv }) }
}

function requireProvider(provider: string, settings: Settings): void {
  const known = providerNames(settings)
  if (known.includes(provider)) return
  throw new PipeError('usage', unknownName(provider, known))
}

/** Stores a key, in the key file only. Throws `usage`, `input`. */
export async function setKey(provider: string, context: RunContext): Promise<void> {
  const { host, interruption } = context
  const settings = await readSettings(context)
  requireProvider(provider, settings)
  const key = readKeyText(await readSecret(`Key for ${provider} (hidden): `, interruption))
  const path = await change(context, (keys) => keys.set(provider, key))
  host.stdout.write(`the key for ${provider} is stored in ${path}\n`)
  for (const warning of openToOthers(findDirectories(host.env, host.home))) printWarning(host, warning)
  const found = findKey(keyHolder(provider, settings), { env: host.env, stored: new Map() })
  if (found !== undefined) printWarning(host, `${found.source} is set and overrides it`)
}

/** Removes a stored key, even for a provider that the settings no longer name. Throws `not_found`. */
export async function removeKey(provider: string, context: RunContext): Promise<void> {
  const stored = await openKeys(context.host)
  if (!stored.has(provider)) {
    throw new PipeError(
      'not_found',
      `no key is stored for ${provider}${suggestion(provider, [...stored.keys()])}`,
    )
  }
  const path = await change(context, (keys) => keys.delete(provider))
  context.host.stdout.write(`the key for ${provider} was removed from ${path}\n`)
}

async function readSettings({ host, flags }: RunContext): Promise<Settings> {
  return (await openSettings(host, readOwnSettings(flags))).settings
}

async function change(
  { host, signal }: RunContext,
  apply: (keys: Map<string, string>) => void,
): Promise<string> {
  const { config } = findDirectories(host.env, host.home)
  await changeKeys(config, apply, lockHolder(host, signal))
  return authPath(config)
}
