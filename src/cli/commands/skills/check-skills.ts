import { basename, dirname, resolve } from 'node:path'
import { promptFolders, readOwnPrompts } from '../../../config/own-prompts.ts'
import { findSkills, readSkillFolder } from '../../../config/skills/find-skills.ts'
import type { SkillNote } from '../../../config/skills/skill.ts'
import { skillFolders } from '../../../config/skills/skill-folders.ts'
import { exitCodes } from '../../../error.ts'
import { lookThrough } from '../../../files/look.ts'
import { counted } from '../../../frontend/words/amount.ts'
import { usageError } from '../../flags.ts'
import type { RunContext } from '../../run-context.ts'
import { printFindings } from '../findings.ts'
import { findSkillPlaces } from './skill-places.ts'

/** Counts what was checked, with what is wrong with it. */
interface Checked {
  readonly skills: number
  readonly commands: number
  readonly notes: readonly SkillNote[]
}

/**
 * Prints what is wrong with the skills and commands of a run here, or with those at a path. Returns the exit code of `config` if one breaks
 * the format or cannot be used. Throws `config`, and `usage` for a path without a skill or command.
 */
export async function checkSkills(path: string | undefined, context: RunContext): Promise<number> {
  const { host, flags } = context
  const { skills, commands, notes } =
    path === undefined ? await checkAll(context) : checkPath(path, resolve(host.cwd, path))
  const faults = notes.filter(({ kind }) => kind !== 'note').length
  const checked = `${counted(skills, 'skill')}, ${counted(commands, 'command')}`
  printFindings(notes, { host, flags, checked, faults })
  return faults === 0 ? 0 : exitCodes.config
}

async function checkAll(context: RunContext): Promise<Checked> {
  const places = await findSkillPlaces(context)
  const found = findSkills(skillFolders(places))
  const { prompts, notes } = readOwnPrompts(promptFolders(places))
  return { skills: found.skills.length, commands: prompts.length, notes: [...found.notes, ...notes] }
}

/** Checks a SKILL.md, a command, or a folder of either. Whose they are makes no difference. */
function checkPath(given: string, path: string): Checked {
  const stat = lookThrough(path)
  const isSkill = stat?.isFile() === true && basename(path).toUpperCase() === 'SKILL.MD'
  const isFile = stat?.isDirectory() !== true
  const source = 'user'
  const found =
    isFile && !isSkill ? undefined : readSkillFolder({ path: isSkill ? dirname(path) : path, source })
  if (found !== undefined && found.skills.length + found.notes.length > 0)
    return { skills: found.skills.length, commands: 0, notes: found.notes }
  const { prompts, notes } = readOwnPrompts([{ path: isFile ? dirname(path) : path, source }])
  const isMeant = (one: { readonly path: string }) => !isFile || one.path === path
  const commands = prompts.filter(isMeant).length
  const meant = notes.filter(isMeant)
  if (commands + meant.length === 0)
    throw usageError(`there is no skill or command at ${JSON.stringify(given)}`, 'pipe skills check --help')
  return { skills: 0, commands, notes: meant }
}
