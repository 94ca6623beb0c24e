import type { AgentDefinition } from '../../actor.ts'
import { oneLine } from '../../characters/one-line.ts'
import { agentFolders } from '../../config/agents/definition-folders.ts'
import { type FoundAgents, findAgents } from '../../config/agents/find-agents.ts'
import { findDirectories } from '../../config/directories.ts'
import { tableText } from '../../frontend/words/text-table.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { printWarning } from '../../terminal/output.ts'
import { printable } from '../../terminal/printable.ts'
import { visibleLine } from '../../terminal/visible.ts'
import { readOwnSettings } from '../choices.ts'
import type { RunContext } from '../run-context.ts'
import { openSettings } from '../wiring/read-settings.ts'
import { describeNote } from '../wiring/run-agent.ts'
import { findToolName } from '../wiring/tools/known-tools.ts'
import { JsonList } from './json-list.ts'

const heading = ['NAME', 'FROM', 'MODEL', 'DESCRIPTION']

/** Lists the agents that a run can work as, and names on stderr the files that cannot be used. Throws `config`. */
export async function printAgents({ host, flags, signal }: RunContext): Promise<void> {
  const { trust } = await openSettings(host, readOwnSettings(flags))
  const { config } = findDirectories(host.env, host.home)
  const found = await findAgents(agentFolders(config, trust), { signal, findTool: findToolName })
  const agents = [...found.agents.values()]
  if (flags.format === 'json') {
    const listed = new JsonList(host.stdout, 'agents')
    for (const agent of agents) listed.add(encode(agent))
    listed.end()
  } else host.stdout.write(`${tableText([heading, ...agents.map(cells)])}\n`)
  for (const problem of problemsOf(found)) printWarning(host, problem)
}

/** Lists what keeps files of agents, or parts of them, from being used. */
function problemsOf({ notes, unapproved }: FoundAgents): readonly string[] {
  const waiting = unapproved.map(
    ({ definition: { name, path } }) =>
      `${visibleLine(path)}: the agent ${name} needs your approval: run pipe trust`,
  )
  return [...notes.map(describeNote), ...waiting]
}

function cells({ name, source, description, ...agent }: AgentDefinition): readonly string[] {
  const texts = [name, source, describeModel(agent), oneLine(description, 80)]
  return texts.map((text) => printable(text))
}

function describeModel({ model, route }: Pick<AgentDefinition, 'model' | 'route'>): string {
  return model ?? (route === undefined ? '-' : `route ${route}`)
}

function encode({ prompt: _, ...agent }: AgentDefinition): object {
  const { name, description, source, path, model, route, tools, mode, isolation } = agent
  return { name, description, source, ...omitUndefined({ path, model, route, tools, mode, isolation }) }
}
