import { hasCode } from '../../../error.ts'
import { visibleLine } from '../../../terminal/visible.ts'
import { readOwnSettings } from '../../choices.ts'
import type { RunContext } from '../../run-context.ts'
import { readAgents } from '../../wiring/found-agents.ts'
import { readAllSettings } from '../../wiring/read-settings.ts'
import { describeNote } from '../../wiring/run-agent.ts'
import type { Checkup } from './checkup.ts'

/** Checks the files of agents. Finds none if the settings cannot be read, which is reported elsewhere. */
export async function checkAgents({
  host,
  flags,
  signal,
}: Pick<RunContext, 'host' | 'flags' | 'signal'>): Promise<readonly Checkup[]> {
  try {
    const loaded = await readAllSettings(host, readOwnSettings(flags))
    const { agents, unapproved, notes } = await readAgents(host, loaded, signal)
    const known: Checkup = { name: 'agents', state: 'ok', text: [...agents.keys()].join(', ') }
    const unusable = notes.filter(({ kind }) => kind === 'unusable')
    const faults = unusable.map(
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
    if (!hasCode(error, 'config')) throw error
    return []
  }
}
