import { oneLine } from '../../../characters/one-line.ts'
import type { Skill } from '../../../config/skills/skill.ts'
import { pathFrom } from '../../../machine/path.ts'
import { namesPluginFolder, pluginRootVariable } from '../../../machine/plugin-folders.ts'
import { withoutFrames } from '../../../memory/frames.ts'
import { pathNames } from '../../run/message/attachment.ts'

interface ListOptions {
  readonly cwd: string
  /** Whether the rules allow the model to see a file. */
  readonly mayRead: (path: string) => boolean
}

/** Bytes of the list in a message. */
const budget = 8 * 1024
/** Characters of each description: the first number with which all skills fit. */
const lengths = [1_024, 400, 160, 80, 0]

/**
 * Lists those of these skills that the model may use by itself, each with its file; empty if there are none. Descriptions are cut where they
 * are too many, and skills left out where even their names are.
 */
export function framedSkills(skills: readonly Skill[], { cwd, mayRead }: ListOptions): string {
  const usable = skills.filter(({ isForModel, path }) => isForModel && pathNames(path).every(mayRead))
  const { rows, left } = fitted(usable, cwd)
  const own = rows.filter(({ source }) => source !== 'project')
  const others = rows.filter(({ source }) => source === 'project')
  const more = left === 0 ? [] : [{ text: `(${left} more: pipe skills list)` }]
  return frame('', [...own, ...more]) + frame(' supplied-by="project"', others)
}

interface Row extends Pick<Skill, 'source'> {
  readonly text: string
}

function fitted(
  skills: readonly Skill[],
  cwd: string,
): { readonly rows: readonly Row[]; readonly left: number } {
  let rows: readonly Row[] = []
  for (const length of lengths) {
    rows = skills.map((skill) => ({ source: skill.source, text: rowOf(skill, cwd, length) }))
    if (sizeOf(rows) <= budget) return { rows, left: 0 }
  }
  const kept = rows.filter((_, at) => sizeOf(rows.slice(0, at + 1)) <= budget)
  return { rows: kept, left: rows.length - kept.length }
}

function sizeOf(rows: readonly Row[]): number {
  return rows.reduce((sum, { text }) => sum + Buffer.byteLength(text) + 1, 0)
}

function rowOf(
  { name, description, path, source, body, plugin }: Skill,
  cwd: string,
  length: number,
): string {
  const file = pathFrom(cwd, path)
  const told = length === 0 || description === '' ? '' : `: ${oneLine(description, length)}`
  // The model reads the file itself, where the variable stands as it is.
  const root =
    plugin === undefined || !namesPluginFolder(body)
      ? ''
      : `; ${pluginRootVariable} is ${JSON.stringify(plugin.root)}`
  const text = `- ${name}${told} (${JSON.stringify(file)}${root})`
  return source === 'user' ? text : withoutFrames(text)
}

function frame(attributes: string, rows: readonly Pick<Row, 'text'>[]): string {
  if (rows.length === 0) return ''
  const head = 'Instructions for kinds of work. Before work that one of them fits, read its file.'
  return `\n<skills${attributes}>\n${head}\n${rows.map(({ text }) => text).join('\n')}\n</skills>`
}
