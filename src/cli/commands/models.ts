import { openCatalog } from '../../catalog/catalog.ts'
import { encodeRow } from '../../catalog/row.ts'
import type { Settings } from '../../config/settings.ts'
import { createTransport } from '../../http/transport.ts'
import type { ModelCatalog } from '../../model.ts'
import { present } from '../../present.ts'
import { printableJson } from '../../terminal/printable-json.ts'
import { tell } from '../output.ts'
import { findKey, openKeys } from '../wiring/keys.ts'
import { findLocalModels, type LocalModels } from '../wiring/local-servers.ts'
import { keyHolder, ownServer, providerNames } from '../wiring/server.ts'
import { openSettings } from '../wiring/settings.ts'
import { type ListedModel, modelTable } from './model-table.ts'
import type { CommandContext } from './run-command.ts'

const notRunning = 'not running'

/**
 * The models there are to talk to, those first that can be used now: of the catalog, of the settings, and of the local servers that
 * answer within 150 ms; with a filter only those whose name holds it, whatever its case. A table, or one JSON object a line. Throws
 * `config`.
 */
export async function listModels(
  filter: string | undefined,
  { host, flags, signal }: CommandContext,
): Promise<void> {
  const { settings } = await openSettings(host, flags)
  const transport = createTransport()
  try {
    const [catalog, stored, answers] = await Promise.all([
      openCatalog(settings.models),
      openKeys(host),
      findLocalModels({ settings, host, transport, signal }),
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
    if (wantsJson) for (const model of wanted) host.stdout.write(jsonLine(model))
    else if (wanted.length > 0) host.stdout.write(modelTable(wanted))
    if (wanted.length === 0) tell(host, `no model is called ${JSON.stringify(filter ?? '')}`)
  } finally {
    transport.close()
  }
}

interface Sources {
  readonly catalog: ModelCatalog
  readonly settings: Settings
  readonly answers: readonly LocalModels[]
  /** What keeps a provider from being used now. */
  readonly missing: (provider: string) => string | undefined
}

/** The models of every provider that has a server, each once, and those that can be used first. */
function gather({ catalog, settings, answers, missing }: Sources): readonly ListedModel[] {
  const known = catalog.list()
  const models = providerNames(settings).flatMap((provider) => {
    const ids = [
      ...known.filter((model) => model.provider === provider).map(({ id }) => id),
      ...(ownServer(provider, settings)?.models ?? []),
      ...answers.filter(({ server }) => server.name === provider).flatMap((answer) => answer.models),
    ]
    const reason = present({ missing: missing(provider) })
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

/** The servers of which nothing is known because they do not run. */
function silent(models: readonly ListedModel[], { settings, missing }: Sources): readonly ListedModel[] {
  return providerNames(settings)
    .filter((provider) => missing(provider) === notRunning)
    .filter((provider) => !models.some(({ name }) => name.startsWith(`${provider}/`)))
    .map((provider) => ({ name: `${provider}/…`, facts: {}, missing: notRunning }))
}

function jsonLine({ name, facts, missing }: ListedModel): string {
  const line = { model: name, ...encodeRow(facts), usable: missing === undefined, ...present({ missing }) }
  return `${printableJson(line)}\n`
}
