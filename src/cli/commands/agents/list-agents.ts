import type { AgentDefinition } from '../../../actor.ts'
import { oneLine } from '../../../characters/one-line.ts'
import type { FoundAgents } from '../../../config/agents/find-agents.ts'
import { tableText } from '../../../frontend/words/text-table.ts'
import { isJsonObject, type JsonValue } from '../../../json-value.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { printWarning } from '../../../terminal/output.ts'
import { printable } from '../../../terminal/printable.ts'
import { printableJson } from '../../../terminal/printable-json.ts'
import { visibleLine } from '../../../terminal/visible.ts'
import { readOwnSettings } from '../../choices.ts'
import type { RunContext } from '../../run-context.ts'
import { readAgents } from '../../wiring/found-agents.ts'
import { openSettings, readAllSettings } from '../../wiring/read-settings.ts'
import { describeNote, requireAgent } from '../../wiring/run-agent.ts'
import { accessText } from '../../wiring/tools/tool-servers.ts'
import { JsonList } from '../json-list.ts'

const heading = ['NAME', 'FROM', 'MODEL', 'DESCRIPTION']

/** Lists the agents that a run can work as, and names on stderr the files that cannot be used. Throws `config`. */
export async function printAgents(context: RunContext): Promise<void> {
  const { host, flags } = context
  const found = await findHere(context)
  const agents = [...found.agents.values()]
  if (flags.format === 'json') {
    const listed = new JsonList(host.stdout, 'agents')
    for (const agent of agents) listed.add(encode(agent))
    listed.end()
  } else host.stdout.write(`${tableText([heading, ...agents.map(cells)])}\n`)
  for (const problem of problemsOf(found)) printWarning(host, problem)
}

/** Describes the agents that a run can work as, and what keeps others from it. Prints nothing. Throws `config`. */
export async function describeAgents({ host, flags, signal }: RunContext): Promise<string> {
  const found = await readAgents(host, await readAllSettings(host, readOwnSettings(flags)), signal)
  return [tableText([heading, ...[...found.agents.values()].map(cells)]), ...problemsOf(found)].join('\n')
}

/** Shows an agent with its limits and its prompt. Names on stderr what of its file has no effect. Throws `usage`, `untrusted`. */
export async function showAgent(name: string, context: RunContext): Promise<void> {
  const { host, flags } = context
  const found = await findHere(context)
  const agent = requireAgent(name, found)
  const { prompt, path } = agent
  if (flags.format === 'json') host.stdout.write(`${printableJson({ ...encode(agent), prompt })}\n`)
  else {
    const { path: file, ...facts } = encode(agent)
    const lines = Object.entries({ ...facts, ...omitUndefined({ file }) }).map(
      ([fact, value]) => `${fact.replaceAll('_', ' ')}: ${printable(spell(value))}`,
    )
    host.stdout.write(`${lines.join('\n')}\n${prompt === '' ? '' : `\n${printable(prompt)}\n`}`)
  }
  for (const note of found.notes) if (note.path === path) printWarning(host, describeNote(note))
}

/** Reads the agents of this folder and of the user. */
export async function findHere({ host, flags, signal }: RunContext): Promise<FoundAgents> {
  return readAgents(host, await openSettings(host, readOwnSettings(flags)), signal)
}

/** Lists what keeps files of agents from being used, those that another agent hides included. */
function problemsOf({ notes, unapproved }: FoundAgents): readonly string[] {
  const kept = notes.filter(({ kind, text }) => kind === 'unusable' || text.startsWith('hidden by'))
  const waiting = unapproved.map(
    ({ definition: { name, path } }) =>
      `${visibleLine(path)}: the agent ${name} needs your approval: run pipe trust`,
  )
  return [...kept.map(describeNote), ...waiting]
}

function cells({ name, source, description, ...agent }: AgentDefinition): readonly string[] {
  const texts = [name, source, describeModel(agent), oneLine(description, 80)]
  return texts.map((text) => printable(text))
}

function describeModel({ model, route }: Pick<AgentDefinition, 'model' | 'route'>): string {
  return model ?? (route === undefined ? '-' : `route ${route}`)
}

function encode(agent: AgentDefinition): Readonly<Record<string, JsonValue>> {
  const { name, description, source, prompt: _, ownServers, ...rest } = agent
  const own = ownServers && {
    ownServers: ownServers.map((server) => `${server.name}: ${accessText(server)}`),
  }
  const facts = Object.entries({ ...rest, ...own }).map(([key, value]) => [
    key.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`),
    value,
  ])
  return { name, description, source, ...Object.fromEntries(facts) }
}

function spell(value: JsonValue): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ')
  if (isJsonObject(value)) return JSON.stringify(value)
  return value === true ? 'yes' : String(value)
}
