import { readBaseUrl } from '../../../config/models/base-url.ts'
import { readQuirks } from '../../../config/models/quirks.ts'
import { builtinServers, type ServerRow } from '../../../config/models/servers.ts'
import type { ServerSettings, Settings } from '../../../config/settings.ts'
import { PipeError } from '../../../error.ts'
import type { Server } from '../../../machine/model-server.ts'
import type { ModelInfo } from '../../../model.ts'
import { nearest } from '../../../ranking/nearest.ts'
import type { Machine } from '../../machine.ts'
import type { KeyHolder } from './provider-keys.ts'

/**
 * Finds a server. Its base URL comes from `<NAME>_BASE_URL`, the settings, another program's variable, or the built-in row, in this
 * order. Throws `config` for an unknown name, or a missing or invalid base URL.
 */
export function findServer(name: string, settings: Settings, env: Machine['env']): Server {
  const own = ownServer(name, settings)
  const row = findRow(name)
  if (own === undefined && row === undefined) throw unknownProvider(name, settings)
  const address = findAddress(name, { own, row, env })
  const replaced = row?.compatible !== undefined && !isSameSite(address.text, row.baseUrl)
  const dialect = own?.dialect ?? (replaced ? row.compatible : row?.dialect) ?? 'openai-chat'
  const baseUrl = readBaseUrl(address.text, dialect, row)
  if (baseUrl === undefined) {
    throw new PipeError('config', `${address.source}: expected an http or https URL`)
  }
  const quirks = { ...(replaced ? {} : row?.quirks), ...readQuirks(own?.quirks ?? {}) }
  return {
    dialect,
    baseUrl,
    ...keyHolder(name, settings),
    ...(Object.keys(quirks).length > 0 ? { quirks } : {}),
    headers: own?.headers,
    defaultModel: replaced ? undefined : row?.defaultModel,
  }
}

/**
 * Returns a server at each of its possible addresses. Several only if no setting moved it and its versions have different defaults.
 */
export function findServers(name: string, settings: Settings, env: Machine['env']): readonly Server[] {
  const server = findServer(name, settings, env)
  const row = findRow(name)
  const isMoved = findAddress(name, { own: ownServer(name, settings), row, env }).source !== name
  const others = isMoved ? [] : (row?.otherBaseUrls ?? [])
  return [server, ...others.map((baseUrl) => ({ ...server, baseUrl }))]
}

/** Whether the settings describe a server, or they or a variable move it. */
export function isConfigured(name: string, settings: Settings, env: Machine['env']): boolean {
  const own = ownServer(name, settings)
  const [address] = addresses(name, { own, row: findRow(name), env })
  return address !== undefined && (own !== undefined || address.source !== name)
}

/** Whether a known server is at another address than its vendor's, so that it may have other models. */
export function isElsewhere({ name, baseUrl }: Server): boolean {
  const row = findRow(name)
  return row?.baseUrl !== undefined && !isSameSite(baseUrl, row.baseUrl)
}

/** Returns the variables of a server's key, even if it has no address yet. */
export function keyHolder(name: string, settings: Settings): KeyHolder {
  const own = ownServer(name, settings)?.api_key_env
  if (own !== undefined) return { name, apiKeyEnv: own }
  const row = findRow(name)
  return { name, apiKeyEnv: row?.apiKeyEnv, apiKeyAliases: row?.apiKeyAliases }
}

/** Lists the variables that hold keys of any server. */
export function keyVariables(settings: Settings): readonly string[] {
  return providerNames(settings).flatMap((name) => {
    const { apiKeyEnv, apiKeyAliases = [] } = keyHolder(name, settings)
    return apiKeyEnv === undefined ? [] : [apiKeyEnv, ...apiKeyAliases]
  })
}

/** Lists all provider names: those of the settings, then the built-in ones. */
export function providerNames({ providers = {} }: Settings): readonly string[] {
  return [...new Set([...Object.keys(providers), ...builtinServers.map(({ name }) => name)])]
}

/** Returns `; did you mean NAME?` if a known name is close, else an empty text. */
export function suggestion(name: string, known: readonly string[]): string {
  const close = nearest(name, known)
  return close === undefined ? '' : `; did you mean ${close}?`
}

/** Words an error about a provider that does not exist. */
export function unknownName(name: string, known: readonly string[]): string {
  const hint = suggestion(name, known)
  return `unknown provider ${name}${hint}${hint === '' ? '; known' : ' Known'}: ${known.join(', ')}`
}

interface Sources {
  readonly own: ServerSettings | undefined
  readonly row: ServerRow | undefined
  readonly env: Machine['env']
}

interface Address {
  readonly text: string
  /** The variable or setting; the server's name for its usual address. */
  readonly source: string
}

/** Finds the server's address and the name of its source. Throws `config` if it has none. */
function findAddress(name: string, sources: Sources): Address {
  const [address] = addresses(name, sources)
  if (address !== undefined) return address
  const exports = [variableOf(name), ...(sources.row?.baseUrlEnvs ?? [])].map((each) => `${each}=…`)
  throw new PipeError(
    'config',
    `${fieldOf(name)} is missing in config.json: expected an http or https URL (or export ${exports.join(' or ')})`,
  )
}

/** Lists the addresses that are given for a server, the one that counts first. */
function addresses(name: string, { own, row, env }: Sources): readonly Address[] {
  const variable = variableOf(name)
  const places = [
    { text: env[variable], source: variable },
    { text: own?.base_url, source: fieldOf(name) },
    ...(row?.baseUrlEnvs ?? []).map((other) => ({ text: env[other], source: other })),
    { text: row?.baseUrl, source: name },
  ]
  return places.flatMap(({ text = '', source }) => (text.trim() === '' ? [] : [{ text, source }]))
}

function variableOf(name: string): string {
  return `${name.toUpperCase().replace(/[^A-Z0-9]/g, '_')}_BASE_URL`
}

function fieldOf(name: string): string {
  return `providers.${name}.base_url`
}

/** Whether an address has the same host as another, or a subdomain of it, such as a region. */
function isSameSite(text: string, site = ''): boolean {
  if (!URL.canParse(text) || !URL.canParse(site)) return false
  const [host, known] = [new URL(text).hostname, new URL(site).hostname]
  return host === known || host.endsWith(`.${known}`)
}

/** Lists the models that the settings name for their servers. */
export function ownModels({ providers = {} }: Settings): readonly ModelInfo[] {
  return Object.entries(providers).flatMap(([provider, { models = [] }]) =>
    models.map((id) => ({ provider, id })),
  )
}

/** Returns the user's settings of a server. */
export function ownServer(name: string, { providers = {} }: Settings): ServerSettings | undefined {
  return Object.hasOwn(providers, name) ? providers[name] : undefined
}

function findRow(name: string): ServerRow | undefined {
  return builtinServers.find((server) => server.name === name)
}

function unknownProvider(name: string, settings: Settings): PipeError {
  const known = [...providerNames(settings), 'replay']
  return new PipeError('config', `${unknownName(name, known)}. Add others under "providers" in config.json.`)
}
