import { oneLine } from '../../../characters/one-line.ts'
import { type FoundSkills, findSkills } from '../../../config/skills/find-skills.ts'
import { describeAsks } from '../../../config/skills/instruction-asks.ts'
import type { Skill } from '../../../config/skills/skill.ts'
import { skillFolders } from '../../../config/skills/skill-folders.ts'
import { PipeError } from '../../../error.ts'
import { tableText } from '../../../frontend/words/text-table.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { nearest } from '../../../ranking/nearest.ts'
import { printWarning } from '../../../terminal/output.ts'
import { printable } from '../../../terminal/printable.ts'
import { printableJson } from '../../../terminal/printable-json.ts'
import { readOwnSettings } from '../../choices.ts'
import type { RunContext } from '../../run-context.ts'
import { readAllSettings } from '../../wiring/read-settings.ts'
import { describeNote } from '../../wiring/run-agent.ts'
import { JsonList } from '../json-list.ts'
import { findSkillPlaces, skillPlacesOf } from './skill-places.ts'

const heading = ['NAME', 'FROM', 'CALLED BY', 'DESCRIPTION']

/** Lists the skills of a run here. Names on stderr the files that cannot be used. Throws `config`. */
export async function listSkills(context: RunContext): Promise<void> {
  const { host, flags } = context
  const { skills, notes } = await find(context)
  if (flags.format === 'json') {
    const listed = new JsonList(host.stdout, 'skills')
    for (const skill of skills) listed.add(encode(skill))
    listed.end()
  } else if (skills.length > 0) host.stdout.write(`${tableText([heading, ...skills.map(cells)])}\n`)
  else if (host.stderr.isTerminal) printWarning(host, 'there are no skills: see docs/skills.md')
  for (const note of notes) if (note.kind === 'unusable') printWarning(host, describeNote(note))
}

/** Describes the skills of a run here, and what of their files cannot be used. Prints nothing. Throws `config`. */
export async function describeSkills({ host, flags }: RunContext): Promise<string> {
  const { places, notice } = skillPlacesOf(host, await readAllSettings(host, readOwnSettings(flags)))
  const { skills, notes } = findSkills(skillFolders(places))
  const table = skills.length === 0 ? 'there are no skills' : tableText([heading, ...skills.map(cells)])
  const faults = notes.filter(({ kind }) => kind === 'unusable').map(describeNote)
  return [table, ...faults, ...(notice === undefined ? [] : [notice])].join('\n')
}

/** Shows a skill with its text. Names on stderr what of its file has no effect. Throws `config`, and `input` if there is none of this name. */
export async function showSkill(name: string, context: RunContext): Promise<void> {
  const { host, flags } = context
  const { skills, notes } = await find(context)
  const skill = skills.find((one) => one.name === name)
  if (skill === undefined) throw unknownSkill(name, skills)
  const { body, description, path, source, hint, globs, asks } = skill
  if (flags.format === 'json') host.stdout.write(`${printableJson({ ...encode(skill), text: body })}\n`)
  else {
    const facts = {
      name,
      description,
      from: source,
      'called by': callers(skill),
      takes: hint,
      'is about': globs?.join(', '),
      'asks for': asks && describeAsks(asks).join('; '),
      file: path,
    }
    const lines = Object.entries(omitUndefined(facts)).map(([fact, value]) => `${fact}: ${printable(value)}`)
    host.stdout.write(`${lines.join('\n')}\n\n${printable(body)}\n`)
  }
  for (const note of notes) if (note.path === path) printWarning(host, describeNote(note))
}

async function find(context: RunContext): Promise<FoundSkills> {
  return findSkills(skillFolders(await findSkillPlaces(context)))
}

function unknownSkill(name: string, skills: readonly Skill[]): PipeError {
  const names = skills.map((one) => one.name)
  const close = nearest(name, names)
  const hint = close === undefined ? 'pipe skills list shows them' : `did you mean ${close}?`
  return new PipeError('input', `there is no skill ${JSON.stringify(name)}: ${hint}`)
}

function cells(skill: Skill): readonly string[] {
  const { name, source, description } = skill
  return [name, source, callers(skill), oneLine(description, 80)].map((text) => printable(text))
}

function callers({ isForModel, isForUser }: Skill): string {
  return [isForModel ? 'model' : [], isForUser ? 'you' : []].flat().join(', ') || 'nobody'
}

function encode({
  name,
  description,
  source,
  path,
  isForModel,
  isForUser,
  hint,
  globs,
  asks,
}: Skill): object {
  const callable = { for_model: isForModel, for_user: isForUser }
  return {
    name,
    description,
    source,
    path,
    ...callable,
    ...omitUndefined({ argument_hint: hint, paths: globs, asks_for: asks && describeAsks(asks) }),
  }
}
