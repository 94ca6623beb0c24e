import { basename, dirname } from 'node:path'
import { oneLine } from '../../characters/one-line.ts'
import { withoutTags } from '../../characters/tag-characters.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { readInstructionFields } from './instruction-fields.ts'
import { splitLeniently } from './lenient-fields.ts'
import type { Skill, SkillNote } from './skill.ts'

/** Most characters that the format allows. Longer ones work all the same. */
const formatLimits = { name: 64, description: 1_024 }
/** Most characters of a name that is called. */
const longestName = 128
/** Characters of a first line that stands for a description. */
const longestFirstLine = 200

/** A skill as its file defines it. */
export interface ReadSkill {
  /** Absent if the file cannot be used. */
  readonly skill?: Skill
  readonly notes: readonly SkillNote[]
}

/** Reads the text of a SKILL.md. Takes whatever it can of a file that breaks the format, and says what is wrong. */
export function readSkill(content: string, { path, source }: Pick<Skill, 'path' | 'source'>): ReadSkill {
  const notes: SkillNote[] = []
  const note = (kind: SkillNote['kind'], text: string) => void notes.push({ path, text, kind })
  if (content.includes('\0')) return { notes: [{ path, text: 'it is binary', kind: 'unusable' }] }
  const { fields, body: whole, faults } = splitLeniently(content)
  const read = readInstructionFields(fields)
  for (const fault of [...faults, ...read.faults]) note('fault', fault)
  for (const text of read.notes) note('note', text)
  const lineOf = (name: string) => fields.find((field) => field.name === name)?.line ?? 1
  const folder = basename(dirname(path))
  const name = [read.name ?? folder, folder].map(callable).find((one) => one !== '')
  if (name === undefined) {
    note('unusable', 'neither its name nor its folder contains a letter or digit')
    return { notes }
  }
  if (read.name === undefined) note('fault', `1: the field name is missing, so it is called ${name}`)
  else for (const text of oddName(read.name, { name, folder })) note('note', `${lineOf('name')}: ${text}`)
  const body = withoutTags(whole.trim())
  const description = read.description ?? firstLine(body)
  if (read.description === undefined) note('fault', '1: the field description is missing')
  if (description === '' && body === '') {
    note('unusable', 'it is empty')
    return { notes }
  }
  const { length } = Array.from(description)
  if (length > formatLimits.description)
    note(
      'note',
      `${lineOf('description')}: the description has ${length} characters, but the format allows ${formatLimits.description}`,
    )
  const { isForModel, isForUser, hint, parameters, globs } = read
  const asks = read.asks(body)
  return {
    skill: {
      name,
      description,
      source,
      path,
      body,
      isForModel,
      isForUser,
      ...omitUndefined({ hint, parameters, globs, asks }),
    },
    notes,
  }
}

/** Returns a name in a form that can be called; empty if nothing of it can. */
function callable(name: string): string {
  return name
    .replace(/[^\p{L}\p{N}_:-]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, longestName)
}

function* oddName(written: string, { name, folder }: { readonly name: string; readonly folder: string }) {
  if (name !== written) yield `it is called ${name}, because a name takes letters, digits, _, - and :`
  if (written.length > formatLimits.name)
    yield `the name has ${written.length} characters, but the format allows ${formatLimits.name}`
  if (written !== folder)
    yield `the format requires the name of its folder: ${JSON.stringify(oneLine(folder, 80))}`
}

/** Returns the first line of a text that says something, without the signs of a heading. */
export function firstLine(text: string): string {
  const [line = ''] = /^.*[\p{L}\p{N}].*$/mu.exec(text) ?? []
  return oneLine(line.replace(/^#+\s*/, '').replace(/\p{Cc}/gu, ' '), longestFirstLine)
}
