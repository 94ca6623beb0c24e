import { promptFolders, readOwnPrompts } from '../../../config/own-prompts.ts'
import type { RunSkills } from '../skills/run-skills.ts'
import type { WireContext } from '../wire-context.ts'

/** Whether a skill or command that messages of this run call has hooks of its own. Elves get no such messages. */
export function mayBringHooks(
  { choices, loaded, directories: { config }, machine: { home } }: WireContext,
  skills: Pick<RunSkills, 'known'>,
): boolean {
  if (choices.parent !== undefined || choices.runsHooks === false || loaded.given?.isBare === true)
    return false
  if (skills.known.some(({ asks }) => asks?.hooks !== undefined)) return true
  const places = { ...loaded.trust, config, home, plugins: loaded.plugins }
  return readOwnPrompts(promptFolders(places)).prompts.some(({ asks }) => asks?.hooks !== undefined)
}
