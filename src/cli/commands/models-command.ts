import { encodeModelRow } from '../../catalog/model-row.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { type Output, printWarning } from '../../terminal/output.ts'
import { readOwnSettings } from '../choices.ts'
import type { RunContext } from '../run-context.ts'
import { findModels, type ListedModel } from '../wiring/model/listed-models.ts'
import { openTransport } from '../wiring/model/open-network.ts'
import { openSettings } from '../wiring/read-settings.ts'
import { JsonList } from './json-list.ts'
import { modelTable } from './model-table.ts'

/**
 * Lists the models of the catalog, the settings and the servers that answer in time, usable ones first. The filter matches part
 * of a name and ignores case. Prints a table or one JSON document. Throws `config`.
 */
export async function listModels(
  filter: string | undefined,
  { host, flags, signal }: RunContext,
): Promise<void> {
  const { settings } = await openSettings(host, readOwnSettings(flags))
  const transport = openTransport(host, settings)
  try {
    const { models, silent } = await findModels({ settings, machine: host, transport, signal })
    const wantsJson = flags.format === 'json'
    const listed = wantsJson ? models : [...models, ...silent]
    const part = filter?.toLowerCase() ?? ''
    const wanted = listed.filter(({ name }) => name.toLowerCase().includes(part))
    if (wantsJson) printJson(wanted, host.stdout)
    else if (wanted.length > 0) host.stdout.write(modelTable(wanted))
    if (wanted.length === 0) printWarning(host, `no model name contains ${JSON.stringify(filter ?? '')}`)
  } finally {
    transport.close()
  }
}

function printJson(models: readonly ListedModel[], stdout: Output): void {
  const listed = new JsonList(stdout, 'models')
  for (const { name, facts, missing } of models)
    listed.add({
      model: name,
      ...encodeModelRow(facts),
      usable: missing === undefined,
      ...omitUndefined({ missing }),
    })
  listed.end()
}
