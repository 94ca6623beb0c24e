import type { PromptFile } from '../../../config/own-prompts.ts'
import type { Skill } from '../../../config/skills/skill.ts'
import { PipeError } from '../../../error.ts'
import type { WithParams } from '../../../frontend/named-places.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { nearest } from '../../../ranking/nearest.ts'

/** A skill, or a command that asks for more than its text, as a message calls it. */
export interface CalledFile
  extends Pick<Skill, 'name' | 'path' | 'source' | 'plugin' | 'body' | 'parameters' | 'asks'>,
    WithParams {
  readonly kind: 'skill' | 'command'
  /** The project whose files alone a command of others attaches. */
  readonly root?: string
  readonly words: string
}

/** The files that can be called. */
export interface CallableFiles {
  skills(): readonly (Skill & WithParams)[]
  /** Default: none. */
  prompts?(): readonly (PromptFile & WithParams)[]
}

/**
 * Returns the skill that a message calls by `/skill:NAME words`, or the command by `/NAME words` whose text is not the message itself.
 * Throws `input` for a skill that the user cannot call.
 */
export function calledFile(prompt: string, files: CallableFiles): CalledFile | undefined {
  const [, name, words = ''] = /^\/([\p{L}\p{N}_:-]+)(?=\s|$)([\s\S]*)$/u.exec(prompt) ?? []
  if (name === undefined) return undefined
  if (name.startsWith('skill:')) {
    const skill = requireSkill(name.slice('skill:'.length), files.skills())
    return skill && { ...skill, kind: 'skill', words }
  }
  const prompts = files.prompts?.() ?? []
  const named = prompts.find((one) => one.name === name)
  const plain = prompts.filter((one) => one.plain === name)
  const command = named ?? (plain.length === 1 ? plain[0] : undefined)
  if (command?.asks === undefined) return undefined
  const { path, text: body, origin: source = 'user', parameters, params, root, plugin, asks } = command
  return {
    kind: 'command',
    name: `/${name}`,
    path,
    source,
    body,
    words,
    asks,
    ...omitUndefined({ parameters, params, root, plugin }),
  }
}

function requireSkill<S extends Skill>(name: string, skills: readonly S[]): S | undefined {
  if (name === '') return undefined
  const skill = skills.find((one) => one.name === name)
  if (skill === undefined) throw unknownSkill(name, skills)
  if (!skill.isForUser)
    throw new PipeError(
      'input',
      `the skill ${name} is for the model alone: its file says user-invocable: false`,
    )
  return skill
}

function unknownSkill(name: string, skills: readonly Skill[]): PipeError {
  const close = nearest(
    name,
    skills.map((one) => one.name),
  )
  const hint = close === undefined ? 'pipe skills list shows them' : `did you mean /skill:${close}?`
  return new PipeError('input', `there is no skill ${name}: ${hint}`)
}
