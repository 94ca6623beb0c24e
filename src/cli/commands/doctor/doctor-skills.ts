import { findSkills } from '../../../config/skills/find-skills.ts'
import { skillFolders } from '../../../config/skills/skill-folders.ts'
import { hasCode } from '../../../error.ts'
import { readOwnSettings } from '../../choices.ts'
import type { RunContext } from '../../run-context.ts'
import { readAllSettings } from '../../wiring/read-settings.ts'
import { describeNote } from '../../wiring/run-agent.ts'
import { skillPlacesOf } from '../skills/skill-places.ts'
import type { Checkup } from './checkup.ts'

const name = 'skills'

/** Checks the files of skills. Finds none if they are off, or if the settings cannot be read, which is reported elsewhere. */
export async function checkSkillFiles({
  host,
  flags,
}: Pick<RunContext, 'host' | 'flags'>): Promise<readonly Checkup[]> {
  try {
    const loaded = await readAllSettings(host, readOwnSettings(flags))
    if (loaded.settings.skills === false) return []
    const { places, notice } = skillPlacesOf(host, loaded)
    const { skills, notes } = findSkills(skillFolders(places))
    const text = skills.map((skill) => skill.name).join(', ')
    const unusable = notes.filter(({ kind }) => kind === 'unusable').map(describeNote)
    return [
      ...(text === '' ? [] : [{ name, state: 'ok', text } as const]),
      ...unusable.map((fault) => ({ name, state: 'missing', text: fault }) as const),
      ...(notice === undefined ? [] : [{ name, state: 'missing', text: notice } as const]),
    ]
  } catch (error) {
    if (!hasCode(error, 'config')) throw error
    return []
  }
}
