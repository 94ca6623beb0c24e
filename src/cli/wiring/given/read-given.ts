import { readGivenAgents } from '../../../config/agents/given-agents.ts'
import type { GivenParts, GivenServers } from '../../../config/given-parts.ts'
import type { Layer } from '../../../config/layers.ts'
import { serversIn } from '../../../config/mcp/find-servers.ts'
import { readServer } from '../../../config/mcp/server-fields.ts'
import { parseDocument } from '../../../config/settings-document.ts'
import { isPipeError, PipeError } from '../../../error.ts'
import { isJsonObject, type JsonObject } from '../../../json-value.ts'
import { visibleLine } from '../../../terminal/visible.ts'
import type { GivenFlags, GivenText } from '../run-choices.ts'
import { agentTools } from '../tools/known-tools.ts'
import { type ReadSettingsFlag, readSettingsFlag } from './settings-flag.ts'

/** Holds the parts that flags bring, and the settings that they stand for. */
export interface ReadGiven {
  readonly parts: GivenParts
  /** From the weakest to the strongest. */
  readonly layers: readonly Layer[]
  /** Name what has no effect. */
  readonly warnings: readonly string[]
}

/** Settings of a run that uses nothing which pipe finds by itself. */
function bareLayer({ plugins }: GivenFlags): Layer {
  return {
    source: { type: 'flag', name: '--bare' },
    settings: { skills: plugins.length > 0, plugins: false, memory: { enabled: false } },
  }
}

/** Reads what flags bring. Throws `input` for what is no JSON, `config` for invalid settings, servers and agents. Each names its flag. */
export async function readGiven(given: GivenFlags): Promise<ReadGiven> {
  const settings: ReadSettingsFlag[] = []
  for (const one of given.settings) settings.push(await readSettingsFlag(await documentOf(one), one))
  const servers: GivenServers[] = []
  for (const one of given.servers)
    servers.unshift({ path: one.origin, servers: serversIn(await documentOf(one)) })
  const ofSettings = settings.toReversed().flatMap((one) => one.servers ?? [])
  const all = [...servers, ...ofSettings]
  for (const one of all) requireServers(one)
  const agents = []
  const notes = []
  for (const one of given.agents) {
    const read = readGivenAgents(await documentOf(one), agentTools)
    if (read.type === 'refused') throw new PipeError('config', visibleLine(`${one.origin}: ${read.reason}`))
    agents.unshift(...read.value.agents)
    notes.push(...read.value.notes.map((note) => visibleLine(`${one.origin}: ${note}`)))
  }
  return {
    parts: {
      servers: all,
      onlyServers: given.onlyServers || given.isBare,
      hooks: settings.flatMap(({ hooks }) => hooks ?? []),
      noHooks: settings.some((one) => one.noHooks),
      agents,
      neverAsks: settings.some((one) => one.neverAsks),
      isBare: given.isBare,
    },
    layers: [...(given.isBare ? [bareLayer(given)] : []), ...settings.map(({ layer }) => layer)],
    warnings: [...settings.flatMap(({ warnings }) => warnings), ...notes],
  }
}

async function documentOf({ text, origin }: GivenText): Promise<JsonObject> {
  const document = await parse(text, origin)
  if (!isJsonObject(document)) throw new PipeError('input', `${origin}: expected a JSON object`)
  return document
}

async function parse(text: string, origin: string) {
  try {
    return await parseDocument(text, origin)
  } catch (error) {
    if (!isPipeError(error)) throw error
    throw new PipeError('input', error.message, { cause: error })
  }
}

/** Throws `config` for a server that cannot be started: the user named it, so a run without it is none that was asked for. */
function requireServers({ path, servers }: GivenServers): void {
  for (const [name, fields] of Object.entries(servers)) {
    const read = readServer(name, fields, undefined)
    if (read.type === 'refused')
      throw new PipeError(
        'config',
        visibleLine(`${path}: the MCP server ${JSON.stringify(name.slice(0, 64))}: ${read.reason}`),
      )
  }
}
