import { parseModelName } from '../../../config/models/model-name.ts'
import { readModelRoute } from '../../../config/models/route-models.ts'
import { PipeError } from '../../../error.ts'
import { splitLevel } from '../../../model.ts'
import { findServers, ownServer, providerNames } from './chosen-server.ts'
import { askServers, type LocalSearch } from './local-servers.ts'
import { findServerKey } from './server-key.ts'

/** Milliseconds for a server to list its models. It may be far away. */
const listingMs = 3_000

interface DefaultSearch extends LocalSearch {
  /** The model that files and variables name, whatever the flags say. */
  readonly configuredModel?: string | undefined
}

/**
 * Returns the default model of a provider, as `provider/model[:level]`, for its name with or without a `:level`; `undefined` for another
 * text. It is the one that the settings name, else that of the built-in row, else the first text model that the server lists. Throws
 * `usage` if there is none, and `auth` if the key is missing.
 */
export async function defaultModelOf(text: string, search: DefaultSearch): Promise<string | undefined> {
  const { name: written } = splitLevel(text)
  const { settings, machine } = search
  const provider = providerNames(settings).find((name) => name.toLowerCase() === written.toLowerCase())
  if (provider === undefined) return undefined
  const key = await findServerKey(provider, settings, machine)
  const [server] = findServers(provider, settings, machine.env)
  const named = namedInSettings(provider, search) ?? server?.defaultModel
  const model = named ?? (await firstListed(provider, search, key))
  if (model !== undefined) return `${provider}/${model}${text.slice(written.length)}`
  throw new PipeError(
    'usage',
    `no default model of ${provider} is known${server === undefined ? '' : `: ${server.baseUrl} lists none`}; name one: -m ${provider}/MODEL`,
  )
}

/** The model of the provider that the settings use, or the first that they list. */
function namedInSettings(
  provider: string,
  { settings, configuredModel = '' }: DefaultSearch,
): string | undefined {
  const used = [configuredModel, ...readModelRoute('default', settings)]
    .filter((name) => name.includes('/'))
    .map(parseModelName)
    .find((name) => name.provider === provider)
  return used?.model ?? ownServer(provider, settings)?.models?.[0]
}

async function firstListed(
  provider: string,
  search: LocalSearch,
  key: string | undefined,
): Promise<string | undefined> {
  const servers = findServers(provider, search.settings, search.machine.env)
  const asked = servers.map((server) => (key === undefined ? server : { ...server, key }))
  const answers = await askServers(asked, search, listingMs)
  return answers.flatMap(({ models }) => models).find((id) => !/embed/i.test(id))
}
