import { oneLine } from '../../../characters/one-line.ts'
import { printable } from '../../../terminal/printable.ts'
import { readOwnSettings } from '../../choices.ts'
import type { RunContext } from '../../run-context.ts'
import { readAllSettings } from '../../wiring/read-settings.ts'
import type { OfferedValue, ValueSource } from './wanted-values.ts'

/** Most sessions and tasks that are offered, the newest first. */
const most = 100

/** Finds the values of a source on this machine. Asks no server and prints nothing. */
export async function foundValues(
  source: ValueSource,
  context: RunContext,
): Promise<readonly OfferedValue[]> {
  const found = await find[source](context)
  return found.map(({ value, about }) => ({ value: printable(value), about: oneLine(printable(about), 80) }))
}

const find: Readonly<Record<ValueSource, (context: RunContext) => Promise<readonly OfferedValue[]>>> = {
  models: async (context) => {
    const { modelsWithKey, allModels } = await import('../../wiring/model/listed-models.ts')
    const { settings } = await readSettings(context)
    const routes = Object.keys(settings.routes ?? {}).map((value) => ({ value, about: 'a route' }))
    const withKey = await modelsWithKey(context.host, settings)
    const listed = withKey.length > 0 ? withKey : await allModels(settings)
    return [...routes, ...listed.map(({ name }) => ({ value: name, about: '' }))]
  },
  agents: async (context) => {
    const { readAgents } = await import('../../wiring/found-agents.ts')
    const { agents } = await readAgents(context.host, await readSettings(context), context.signal)
    return Array.from(agents.values(), ({ name, description }) => ({ value: name, about: description }))
  },
  sessions: async ({ host, signal }) => {
    const { withAllSessions } = await import('../../wiring/session-records.ts')
    const { conversationsIn } = await import('../../wiring/session/sessions-in.ts')
    const { shortenIds, shownTitle } = await import('../sessions/session-row.ts')
    return withAllSessions(host, async (store) => {
      const ids = shortenIds(await store.find('', { signal }))
      const found: OfferedValue[] = []
      for await (const summary of conversationsIn(host.cwd, { store, signal })) {
        found.push({ value: ids.get(summary.id) ?? summary.id, about: shownTitle(summary) })
        if (found.length >= most) break
      }
      return found
    })
  },
  tasks: async ({ host, signal }) => {
    const { withTasks } = await import('../../wiring/tasks/open-tasks.ts')
    const { readBoard } = await import('../../wiring/tasks/read-board.ts')
    const board = await withTasks(host, (store) => readBoard(store, signal))
    const newest = board.all().toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1))
    return newest.slice(0, most).map(({ taskId, title }) => ({ value: taskId, about: title }))
  },
  providers: async (context) => {
    const { providerNames } = await import('../../wiring/model/chosen-server.ts')
    const { settings } = await readSettings(context)
    return providerNames(settings).map((value) => ({ value, about: '' }))
  },
  servers: async (context) => {
    const { nameOfServer, readServersHere } = await import('../mcp/servers-here.ts')
    const { servers, unapproved, ofAgents } = await readServersHere({
      ...context,
      host: { ...context.host, warn: () => undefined },
    })
    return [...servers, ...unapproved, ...ofAgents].map((one) => ({ value: nameOfServer(one), about: '' }))
  },
  templates: async (context) => {
    const { skillPlacesOf } = await import('../skills/skill-places.ts')
    const { promptFolders, readOwnPrompts } = await import('../../../config/own-prompts.ts')
    const { places } = skillPlacesOf(context.host, await readSettings(context))
    const { prompts } = readOwnPrompts(promptFolders(places))
    return prompts.map(({ name, description }) => ({ value: name, about: description }))
  },
}

function readSettings({ host, flags }: RunContext) {
  return readAllSettings(host, readOwnSettings(flags))
}
