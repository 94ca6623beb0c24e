import { framedSkills } from '../../wiring/skills/framed-skills.ts'
import type { Wired } from '../../wiring/wired.ts'

/** The parts of a conversation that know skills. */
export type KnownSkills = Pick<Wired, 'skills' | 'readsFiles'> & Partial<Pick<Wired, 'prompts' | 'called'>>

/** Lists the skills that count from the start for a model that can read their files. Those about some files follow with the work on these. */
export function skillList(
  { skills, readsFiles }: KnownSkills,
  options: Parameters<typeof framedSkills>[1],
): string {
  if (!readsFiles) return ''
  return framedSkills(
    skills().filter(({ globs }) => globs === undefined),
    options,
  )
}
