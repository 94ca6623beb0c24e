import { openCatalog } from '../../catalog/catalog.ts'
import { encodeRow } from '../../catalog/row.ts'
import type { Settings } from '../../config/settings.ts'
import type { ModelCatalog } from '../../model.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { type Output, tell } from '../../terminal/output.ts'
import { readOwnSettings } from '../choices.ts'
import type { RunContext } from '../run-context.ts'
import { findKey, openKeys } from '../wiring/keys.ts'
import { findLocalModels, type LocalModels } from '../wiring/local-servers.ts'
import { openTransport } from '../wiring/network.ts'
import { keyHolder, ownServer, providerNames } from '../wiring/server.ts'
import { openSettings } from '../wiring/settings.ts'
import { JsonList } from './json-list.ts'
import { type ListedModel, modelTable } from './model-table.ts'

const notRunning = 'not running'

/**
 * Lists the models of the catalog, the settings and the local servers that answer within 1 s, usable ones first. The filter matches part
 * of a name and ignores case. Prints a table or one JSON document. Throws `config`.
 */
export async function listModels(
  filter: string | undefined,
  { host, flags, signal }: RunContext,
): Promise<void> {
  const { settings } = await openSettings(host, readOwnSettings(flags))
  const transport = openTransport(host, settings)
  try {
    const [catalog, stored, answers] = await Promise.all([
      openCatalog(settings.models),
      openKeys(host),
      findLocalModels({ settings, machine: host, transport, signal }),
    ])
    const missing = (provider: string) => {
      const holder = keyHolder(provider, settings)
      if (holder.apiKeyEnv === undefined)
        return answers.some(({ server }) => server.name === provider) ? undefined : notRunning
      return findKey(holder, { env: host.env, stored }) === undefined
        ? `export ${holder.apiKeyEnv}=…`
        : undefined
    }
    const sources = { catalog, settings, answers, missing }
    const models = gather(sources)
    const wantsJson = flags.format === 'json'
    const listed = wantsJson ? models : [...models, ...silent(models, sources)]
    const part = filter?.toLowerCase() ?? ''
    const wanted = listed.filter(({ name }) => name.toLowerCase().includes(part))
    if (wantsJson) printJson(wanted, host.stdout)
    else if (wanted.length > 0) host.stdout.write(modelTable(wanted))
    if (wanted.length === 0) tell(host, `no model name contains ${JSON.stringify(filter ?? '')}`)
  } finally {
    transport.close()
  }
}

interface Sources {
  readonly catalog: ModelCatalog
  readonly settings: Settings
  readonly answers: readonly LocalModels[]
  /** Returns the reason why a provider is not usable now. */
  readonly missing: (provider: string) => string | undefined
}

/** Collects the models of all providers without duplicates, usable ones first. */
function gather({ catalog, settings, answers, missing }: Sources): readonly ListedModel[] {
  const known = catalog.list()
  const models = providerNames(settings).flatMap((provider) => {
    const ids = [
      ...known.filter((model) => model.provider === provider).map(({ id }) => id),
      ...(ownServer(provider, settings)?.models ?? []),
      ...answers.filter(({ server }) => server.name === provider).flatMap((answer) => answer.models),
    ]
    const reason = omitUndefined({ missing: missing(provider) })
    return [...new Set(ids)].map(
      (id): ListedModel => ({
        name: `${provider}/${id}`,
        facts: catalog.find(provider, id) ?? {},
        ...reason,
      }),
    )
  })
  return [
    ...models.filter((model) => model.missing === undefined),
    ...models.filter((model) => model.missing !== undefined),
  ]
}

/** Lists servers that do not run and have no known models. */
function silent(models: readonly ListedModel[], { settings, missing }: Sources): readonly ListedModel[] {
  return providerNames(settings)
    .filter((provider) => missing(provider) === notRunning)
    .filter((provider) => !models.some(({ name }) => name.startsWith(`${provider}/`)))
    .map((provider) => ({ name: `${provider}/…`, facts: {}, missing: notRunning }))
}

function printJson(models: readonly ListedModel[], stdout: Output): void {
  const listed = new JsonList(stdout, 'models')
  for (const { name, facts, missing } of models)
    listed.add({
      model: name,
      ...encodeRow(facts),
      usable: missing === undefined,
      ...omitUndefined({ missing }),
    })
  listed.end()
}
