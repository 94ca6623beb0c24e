import { agentFolders } from '../../../config/agents/definition-folders.ts'
import { findAgents } from '../../../config/agents/find-agents.ts'
import type { Directories } from '../../../config/directories.ts'
import { isPipeError } from '../../../error.ts'
import { visibleLine } from '../../../terminal/visible.ts'
import { readOwnSettings } from '../../choices.ts'
import type { RunContext } from '../../run-context.ts'
import { readAllSettings } from '../../wiring/read-settings.ts'
import { describeNote } from '../../wiring/run-agent.ts'
import { findToolName } from '../../wiring/tools/known-tools.ts'
import type { Checkup } from './checkup.ts'

/** Checks the files of agents. Finds none if the settings cannot be read, which is reported elsewhere. */
export async function checkAgents(
  { host, flags, signal }: Pick<RunContext, 'host' | 'flags' | 'signal'>,
  { config }: Directories,
): Promise<readonly Checkup[]> {
  try {
    const { trust } = await readAllSettings(host, readOwnSettings(flags))
    const { agents, unapproved, notes } = await findAgents(agentFolders(config, trust), {
      signal,
      findTool: findToolName,
    })
    const known: Checkup = { name: 'agents', state: 'ok', text: [...agents.keys()].join(', ') }
    const faults = notes.map(
      (note): Checkup => ({ name: 'agents', state: 'missing', text: describeNote(note) }),
    )
    const waiting = unapproved.map(({ definition: { name, path } }): Checkup => {
      return {
        name: 'agents',
        state: 'missing',
        text: `${name} (${visibleLine(path)}) needs your approval`,
        remedy: 'pipe trust',
      }
    })
    return [known, ...faults, ...waiting]
  } catch (error) {
    if (!isPipeError(error) || error.code !== 'config') throw error
    return []
  }
}
