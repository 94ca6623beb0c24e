import { join } from 'node:path'
import { abilityLines, readAbilities } from '../../../src/cli/commands/plugin/plugin-abilities.ts'
import { readOwnPrompts } from '../../../src/config/own-prompts.ts'
import { findSkills } from '../../../src/config/skills/find-skills.ts'
import { folderOfPlugin } from '../../../src/config/skills/skill-folders.ts'
import type { JsonObject } from '../../../src/json-value.ts'
import { readPlugin } from '../../../src/plugins/plugin-content.ts'
import { folderWith } from '../folders/folder.ts'

/** Files of a plugin: texts, lines, or JSON documents. */
export type ShapeFiles = Readonly<Record<string, string | readonly string[] | object>>

/** The parts that are read of a plugin, a line each, with its folder written as ROOT; and the notes on what is odd or without effect. */
export interface Shape {
  readonly reads: readonly string[]
  readonly notes?: readonly string[]
}

/** Reads files as a plugin of the folder `p`, with the readers of a run. */
export async function shapeOf(files: ShapeFiles, components?: JsonObject): Promise<Shape> {
  const texts = Object.entries(files).map(([path, one]) => [`p/${path}`, textOf(one)])
  const root = join(await folderWith(Object.fromEntries(texts)), 'p')
  const read = readPlugin({ root, data: '/data', folderName: 'p', ...(components && { components }) })
  if (read.type === 'refused') return { reads: [], notes: [`refused: ${read.reason}`] }
  const { plugin } = read.value
  const { abilities, notes } = await readAbilities(read.value, new AbortController().signal)
  const folders = (paths: readonly string[]) => paths.map((path) => folderOfPlugin(path, plugin))
  const found = [
    findSkills(folders(plugin.skills)).notes,
    readOwnPrompts(folders(plugin.commands)).notes,
  ].flat()
  const minor = found.filter(({ kind }) => kind !== 'unusable').map(({ path, text }) => `${path}: ${text}`)
  const all = [...notes, ...minor].map((note) =>
    note.replaceAll(root, 'ROOT').replaceAll(/\$\{\w+_ROOT\}\//g, 'ROOT/'),
  )
  return { reads: abilityLines(abilities), ...(all.length > 0 && { notes: all }) }
}

function textOf(file: string | readonly string[] | object): string {
  if (typeof file === 'string') return file
  return Array.isArray(file) ? file.join('\n') : JSON.stringify(file)
}

/** A file with these fields, and a text below them. */
export function inFields(...fields: readonly string[]): readonly string[] {
  return ['---', ...fields, '---', 'Do the work.', '']
}
