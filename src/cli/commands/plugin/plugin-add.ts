import { PipeError } from '../../../error.ts'
import { readMarketplace } from '../../../plugins/marketplace-file.ts'
import type { PluginContent } from '../../../plugins/plugin-content.ts'
import type { PluginDependency } from '../../../plugins/plugin-dependencies.ts'
import type { PluginStore, StagedContent } from '../../../plugins/plugin-store.ts'
import type { RunContext } from '../../run-context.ts'
import { askForOptions, givenAnswers, keepAnswers } from './configure-plugin.ts'
import { withPluginStore } from './open-plugin-store.ts'
import { readAbilities } from './plugin-abilities.ts'
import { describeStaged, requireConsent } from './plugin-consent.ts'
import { describeWanted, readWanted, type WantedPlugin, wantedFrom } from './plugin-place.ts'
import { contentOf, keepApproved, recordOf, withStaged } from './staged-plugin.ts'

/** Plugins that one question adds at most, with all that they need. */
const most = 20

/** A copy of a plugin to add. */
interface Adding {
  readonly wanted: WantedPlugin
  readonly staged: StagedContent
  readonly content: PluginContent
}

/** Plugins to add, the wanted one first, and what of their needs nobody has. */
interface Gathered {
  readonly all: readonly Adding[]
  readonly missing: readonly string[]
}

/** Copies a plugin and those that it needs, shows what they may do, and adds them after a yes. Throws `conflict` if there is one of its name. */
export async function addPlugin(word: string, context: RunContext): Promise<void> {
  await withPluginStore(context, async (store) => {
    const wanted = readWanted(word, store, context.host)
    await gathered({ all: [], missing: [] }, [wanted], store, async ({ all, missing }) => {
      const [first] = all
      if (first === undefined) return
      const { options, plugin } = first.content
      const given = givenAnswers(options, context)
      await requireConsent(await describeAll(all, missing, context.signal), questionOf(all), context)
      for (const one of all.toReversed()) {
        const known = one === first ? given : {}
        const answers = await askForOptions(one.content.options, known, context)
        await keepApproved(
          one.staged,
          { ...recordOf(one.content, one.staged, one.wanted), isEnabled: true },
          store,
          context,
        )
        const { name } = one.content.plugin
        await keepAnswers({ folder: store.folder, name }, one.content.options, answers, context)
        if (name !== plugin.name) context.host.stdout.write(`added: ${name}, which ${plugin.name} needs\n`)
      }
      context.host.stdout.write(`added: ${plugin.name}\n`)
    })
  })
}

function questionOf(all: readonly Adding[]): string {
  const [first = '', ...others] = all.map(({ content }) => content.plugin.name)
  return others.length === 0
    ? `Add the plugin ${first}?`
    : `Add the plugin ${first}, and ${others.join(', ')}?`
}

async function describeAll(
  all: readonly Adding[],
  missing: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const parts: string[] = []
  for (const { wanted, staged, content } of all) {
    const abilities = await readAbilities(content, signal)
    parts.push(...describeStaged(describeWanted(wanted, content.plugin.name), staged, abilities))
  }
  return [...parts, ...missing]
}

/** Copies what is wanted and then what it needs, for as long as the work takes. */
async function gathered(
  { all, missing }: Gathered,
  [next, ...later]: readonly WantedPlugin[],
  store: PluginStore,
  work: (gathered: Gathered) => Promise<void>,
): Promise<void> {
  if (next === undefined) return work({ all, missing })
  if (all.length === most) throw new PipeError('invalid', `it needs more than ${most} plugins`)
  await withStaged(store, next, async (staged) => {
    const content = contentOf(staged, next, store)
    const { name } = content.plugin
    requireNew(name, [...store.read().plugins.keys(), ...all.map((one) => one.content.plugin.name)])
    const here = [...all, { wanted: next, staged, content }]
    const known = new Set([
      ...store.read().plugins.keys(),
      ...here.map((one) => one.content.plugin.name),
      ...later.map((one) => one.name ?? ''),
    ])
    const needs = content.dependencies.filter((one) => !known.has(one.name))
    const found = needs.map((need) => findNeeded(need, next.marketplace, store))
    const faults = found.flatMap((one) => (typeof one === 'string' ? [`${name} needs ${one}`] : []))
    const more = found.filter((one) => typeof one !== 'string')
    await gathered({ all: here, missing: [...missing, ...faults] }, [...later, ...more], store, work)
  })
}

/** Ignores case, as file systems do: another plugin of the name would get the data and secrets of the first. */
function requireNew(name: string, names: readonly string[]): void {
  const known = names.find((one) => one.toLowerCase() === name.toLowerCase())
  if (known === undefined) return
  throw new PipeError(
    'conflict',
    `there is already a plugin ${known}: pipe plugin update ${known} fetches it again, pipe plugin remove ${known} deletes it`,
  )
}

/** Finds a plugin that another one needs: where it says, else in the other's marketplace, else in the only one that lists it. Returns what is missing as a text. */
function findNeeded(
  { name, marketplace, version }: PluginDependency,
  usual: string | undefined,
  store: PluginStore,
): WantedPlugin | string {
  const { marketplaces } = store.read()
  const lists = (of: string): boolean => {
    const known = marketplaces.get(of)
    const read = known && readMarketplace(store.marketplaceFolder(known))
    return read?.type === 'ok' && read.value.entries.some((one) => one.name === name)
  }
  const named = marketplace ?? (usual !== undefined && lists(usual) ? usual : undefined)
  const listing = named === undefined ? [...marketplaces.keys()].filter(lists) : [named].filter(lists)
  const [only, ...others] = listing
  if (only !== undefined && others.length === 0) return wantedFrom(name, only, store)
  const what = `${name}${version === undefined ? '' : ` ${version}`}`
  if (others.length > 0)
    return `${what}, which several marketplaces list (${listing.join(', ')}): add it with pipe plugin add ${name}@${only}`
  const where =
    marketplace === undefined
      ? 'no marketplace that you added lists it'
      : `the marketplace ${marketplace} is not added, or does not list it`
  return `${what}, which is missing: ${where}`
}
