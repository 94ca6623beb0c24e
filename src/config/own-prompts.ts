import { join } from 'node:path'
import { oneLine } from '../characters/one-line.ts'
import { withoutTags } from '../characters/tag-characters.ts'
import type { OwnPrompt } from '../frontend/own-prompt.ts'
import type { Plugin } from '../machine/plugin.ts'
import { withPluginFolders } from '../machine/plugin-folders.ts'
import { omitUndefined } from '../omit-undefined.ts'
import { peerPrompts } from './agents/peer-agents.ts'
import { entriesIn } from './skills/folder-entries.ts'
import { askedByProject, type InstructionAsks } from './skills/instruction-asks.ts'
import { readInstructionFields } from './skills/instruction-fields.ts'
import { readInstructionFile } from './skills/instruction-file.ts'
import { withProjectFolder, withRuleFolders } from './skills/instruction-places.ts'
import { splitLeniently } from './skills/lenient-fields.ts'
import { firstLine } from './skills/read-skill.ts'
import type { SkillNote } from './skills/skill.ts'
import {
  folderOfPlugin,
  type InstructionFolder,
  type SkillPlaces,
  strongestFirst,
} from './skills/skill-folders.ts'

/** Most files of a folder with all below it, and levels of folders. */
const limits = { files: 100, levels: 3 }
/** Characters of a description in a list. */
const longest = 80

/** A prompt in a file. */
export interface PromptFile extends OwnPrompt {
  readonly path: string
  /** The project that it belongs to. Absent for the user's own. */
  readonly root?: string
  /** Its name without that of its plugin. */
  readonly plain?: string
  /** The plugin that brings it. */
  readonly plugin?: Plugin
  /** Says who owns it. Default: the user. */
  readonly origin?: 'project' | 'plugin'
  /** Names of its words, in their order. */
  readonly parameters?: readonly string[]
  /** Absent if its file asks for nothing but its text. */
  readonly asks?: InstructionAsks
}

/** Lists the prompts of folders. */
export interface FoundPrompts {
  /** In the order of their names. */
  readonly prompts: readonly PromptFile[]
  readonly notes: readonly SkillNote[]
}

/** Lists the folders of prompts for a run: those of a trusted project, also of another agent, then the user's. */
export function promptFolders(places: SkillPlaces): readonly InstructionFolder[] {
  const own = strongestFirst(['.pipe/commands', peerPrompts], [join(places.config, 'commands')], places)
  const bring = (plugin: Plugin) =>
    plugin.commands.map((path) => ({ ...folderOfPlugin(path, plugin), project: places.root }))
  return [...own, ...(places.plugins ?? []).flatMap(bring)]
}

/**
 * Reads the prompts that are commands: the `.md` files of these folders, the strongest first. `git/commit.md` is called `git:commit`.
 * The first one of a name counts. One that cannot be used is named.
 */
export function readOwnPrompts(folders: readonly InstructionFolder[]): FoundPrompts {
  const found = new Map<string, PromptFile>()
  const notes: SkillNote[] = []
  for (const folder of folders)
    for (const prompt of promptsIn(folder, notes)) if (!found.has(prompt.name)) found.set(prompt.name, prompt)
  return { prompts: [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), notes }
}

function promptsIn(folder: InstructionFolder, notes: SkillNote[]): readonly PromptFile[] {
  const { path: top, root, plugin, project } = folder
  return filesIn(folder, notes).flatMap((names) => {
    const path = join(top, ...names)
    const file = readInstructionFile(path, root)
    if (file.type === 'refused') {
      notes.push({ path, text: file.reason, kind: 'unusable' })
      return []
    }
    const written = readPrompt(file.value, path, notes)
    const name = names.join(':').replace(/\.md$/, '')
    if (written === undefined) return []
    const read = { ...written, text: withProjectFolder(written.text, folder) }
    const asks = read.asks && withRuleFolders(read.asks, folder)
    if (plugin === undefined) {
      if (root === undefined) return [{ name, source: 'yours', path, ...read, ...omitUndefined({ asks }) }]
      const bound = asks && askedByProject(asks, { root, path, content: file.value })
      const of = { name, source: 'of this project', origin: 'project', path, root } as const
      return [{ ...of, ...read, ...omitUndefined({ asks: bound }) }]
    }
    // What its text mentions is attached from the project that the user works on, as for a command of that.
    const of = { name: `${plugin.name}:${name}`, plain: name, source: `of the plugin ${plugin.name}` }
    return [
      {
        ...read,
        ...of,
        origin: 'plugin',
        plugin,
        path,
        root: project ?? plugin.root,
        text: withPluginFolders(read.text, plugin),
        ...omitUndefined({ asks }),
      },
    ]
  })
}

/** Lists the files whose names can be typed as a command, each as the names on the way to it. */
function filesIn(
  { path: top, root, only }: InstructionFolder,
  notes: SkillNote[],
): readonly (readonly string[])[] {
  const files: (readonly string[])[] = []
  const walk = (way: readonly string[]): void => {
    for (const { name, isFolder } of entriesIn(join(top, ...way), { root, notes })) {
      if (files.length > limits.files) return
      const [, word] =
        (isFolder ? /^([\p{L}\p{N}_-]{1,64})$/u : /^([\p{L}\p{N}_-]{1,64})\.md$/u).exec(name) ?? []
      if (only !== undefined && name !== only) continue
      if (word === undefined && !isFolder && /^[^.].*\.md$/.test(name))
        notes.push({
          path: join(top, ...way, name),
          text: 'its name cannot be typed as a command: use only letters, digits, _ and -',
          kind: 'unusable',
        })
      if (word === undefined || name === 'README.md') continue
      if (!isFolder) files.push([...way, name])
      else if (way.length < limits.levels) walk([...way, name])
    }
  }
  walk([])
  if (files.length > limits.files)
    notes.push({ path: top, text: `only the first ${limits.files} files are read`, kind: 'unusable' })
  return files.slice(0, limits.files)
}

/** Reads the text, and its description: the field of that name, else its first line. `undefined` for an empty text. */
function readPrompt(
  content: string,
  path: string,
  notes: SkillNote[],
): Pick<PromptFile, 'text' | 'description' | 'hint' | 'parameters' | 'asks'> | undefined {
  const note = (kind: SkillNote['kind'], text: string) => void notes.push({ path, text, kind })
  const { fields, body, faults } = splitLeniently(content)
  const { description, hint, parameters, ...read } = readInstructionFields(fields)
  // A command needs no fields.
  if (content.startsWith('---')) for (const fault of faults) note('fault', fault)
  for (const fault of read.faults) note('fault', fault)
  for (const text of read.notes) note('note', text)
  const paths = fields.find(({ name }) => name === 'paths')
  if (paths !== undefined)
    note('note', `${paths.line}: paths has no effect on commands, because the model does not see them`)
  const text = withoutTags(body.trim())
  if (text === '') {
    note('unusable', 'it is empty')
    return undefined
  }
  return {
    text,
    description: oneLine(description ?? firstLine(text), longest),
    ...omitUndefined({ hint, parameters, asks: read.asks(text) }),
  }
}
