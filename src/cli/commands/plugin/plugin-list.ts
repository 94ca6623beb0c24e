import { projectPluginWishes } from '../../../config/plugin-wishes.ts'
import { trustRoot } from '../../../config/trust/folder-trust.ts'
import { tableText } from '../../../frontend/words/text-table.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { contentFault, placesOf } from '../../../plugins/enabled-plugins.ts'
import { readPlugin } from '../../../plugins/plugin-content.ts'
import type { InstalledPlugin } from '../../../plugins/plugin-record.ts'
import { describeSource } from '../../../plugins/plugin-source.ts'
import { printWarning } from '../../../terminal/output.ts'
import { printableJson } from '../../../terminal/printable-json.ts'
import { visibleLine } from '../../../terminal/visible.ts'
import type { RunContext } from '../../run-context.ts'
import { JsonList } from '../json-list.ts'
import { requireNamed, withPluginStore } from './open-plugin-store.ts'
import { abilityLines, readAbilities } from './plugin-abilities.ts'

const heading = ['NAME', 'VERSION', 'STATE', 'FROM']

/** Lists the plugins that the user added, and names on stderr those that the project asks for. Throws `config`. */
export async function listPlugins(context: RunContext): Promise<void> {
  const { host, flags } = context
  await withPluginStore(context, async (store) => {
    const rows = [...store.read().plugins.values()].map((one) => ({
      one,
      fault: contentFault(store.folder, one),
    }))
    if (flags.format === 'json') {
      const listed = new JsonList(host.stdout, 'plugins')
      for (const { one, fault } of rows) listed.add(encode(one, fault))
      listed.end()
    } else if (rows.length === 0) printWarning(host, 'no plugins yet: pipe plugin add PATH adds one')
    else {
      const cells = rows.map(({ one, fault }) => [
        one.name,
        one.version ?? '-',
        stateOf(one, fault),
        from(one),
      ])
      host.stdout.write(`${tableText([heading, ...cells.map((row) => row.map(visibleLine))])}\n`)
    }
    for (const { one, fault } of rows)
      if (fault !== undefined && one.isEnabled)
        printWarning(host, `${one.name}: ${fault}; pipe plugin enable ${one.name} shows and approves it`)
  })
  for (const line of await wishesOf(context)) printWarning(host, line)
}

/** Says which plugins the project asks for. It cannot add them. */
export async function wishesOf({ host }: Pick<RunContext, 'host'>): Promise<readonly string[]> {
  const wishes = await projectPluginWishes(trustRoot(host.cwd, host.home))
  return wishes.map(({ path, names }) =>
    visibleLine(`${path} asks for ${names.join(', ')}: only you can add plugins, with pipe plugin add`),
  )
}

function stateOf({ isEnabled }: InstalledPlugin, fault: string | undefined): string {
  if (!isEnabled) return 'off'
  return fault === undefined ? 'on' : 'off: changed'
}

function from({ marketplace, name, source }: InstalledPlugin): string {
  return marketplace === undefined ? describeSource(source) : `${name}@${marketplace}`
}

function encode(one: InstalledPlugin, fault: string | undefined): object {
  const { name, version, isEnabled, marketplace, commit, source } = one
  return {
    name,
    enabled: isEnabled,
    source: describeSource(source),
    ...omitUndefined({ version, fault, marketplace, commit }),
  }
}

/** Shows all that a plugin may do. Throws `input` if there is none of this name. */
export async function showPlugin(name: string, context: RunContext): Promise<void> {
  const { host, flags, signal } = context
  await withPluginStore(context, async (store) => {
    const installed = requireNamed(store.read().plugins, name, 'plugin')
    const { components } = installed
    const { root, data } = placesOf(store.folder, installed)
    const fault = contentFault(store.folder, installed)
    const read = readPlugin({ root, data, name, ...omitUndefined({ components }) })
    const { abilities, notes } =
      read.type === 'ok' ? await readAbilities(read.value, signal) : { abilities: [], notes: [read.reason] }
    if (flags.format === 'json') {
      host.stdout.write(`${printableJson({ ...encode(installed, fault), abilities, notes })}\n`)
      return
    }
    const facts = {
      name,
      version: installed.version,
      state: stateOf(installed, fault),
      from: from(installed),
      commit: installed.commit,
      folder: root,
    }
    const lines = Object.entries(omitUndefined(facts)).map(([fact, value]) => `${fact}: ${value}`)
    const all = [...lines, ...abilityLines(abilities), ...notes.map((note) => `note: ${note}`)]
    host.stdout.write(`${all.map(visibleLine).join('\n')}\n`)
  })
}
