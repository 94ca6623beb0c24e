import type { Skill } from '../../../config/skills/skill.ts'
import { PipeError } from '../../../error.ts'
import type { TextBlock } from '../../../message.ts'
import { nearest } from '../../../ranking/nearest.ts'
import { skillText } from '../../wiring/tools/skill-text.ts'
import type { Wired } from '../../wiring/wired.ts'

/** A skill that the user calls, with what the model is told. */
export interface CalledSkill extends Pick<Skill, 'path'> {
  /** Names it for the user. */
  readonly name: string
  readonly block: TextBlock
}

/** Returns the skill that a message calls by `/skill:NAME words`, with its text. Throws `input` for one that the user cannot call. */
export function calledSkill(prompt: string, known: Pick<Wired, 'skills'>): CalledSkill | undefined {
  const [, name, words = ''] = /^\/skill:([\p{L}\p{N}_:-]+)(?=\s|$)([\s\S]*)$/u.exec(prompt) ?? []
  if (name === undefined) return undefined
  const skills = known.skills()
  const skill = skills.find((one) => one.name === name)
  if (skill === undefined) throw unknownSkill(name, skills)
  if (!skill.isForUser)
    throw new PipeError(
      'input',
      `the skill ${name} is for the model alone: its file says user-invocable: false`,
    )
  const text = skillText(skill, words)
  return { name: `skill ${name}`, path: skill.path, block: { type: 'text', text } }
}

function unknownSkill(name: string, skills: readonly Skill[]): PipeError {
  const close = nearest(
    name,
    skills.map((one) => one.name),
  )
  const hint = close === undefined ? 'pipe skills list shows them' : `did you mean /skill:${close}?`
  return new PipeError('input', `there is no skill ${name}: ${hint}`)
}
