import { dirname, join } from 'node:path'
import { followed } from '../../files/real-path.ts'
import type { Plugin } from '../../machine/plugin.ts'
import { holds } from '../trust/project-root.ts'
import { entriesIn } from './folder-entries.ts'
import { askedByProject } from './instruction-asks.ts'
import { readInstructionFile } from './instruction-file.ts'
import { withProjectFolder, withRuleFolders } from './instruction-places.ts'
import { readSkill } from './read-skill.ts'
import type { Skill, SkillNote } from './skill.ts'
import type { InstructionFolder } from './skill-folders.ts'

/** Lists the skills of folders. */
export interface FoundSkills {
  /** In the order of their names. */
  readonly skills: readonly Skill[]
  readonly notes: readonly SkillNote[]
}

/** Most skills of a folder, folders that are looked into for them, and levels of those. */
const limits = { skills: 200, folders: 1_000, levels: 3 }

/** Reads the skills of these folders, the strongest first. A weaker skill of a name is hidden; one that cannot be used is named. */
export function findSkills(folders: readonly InstructionFolder[]): FoundSkills {
  const found = new Map<string, Skill>()
  const notes: SkillNote[] = []
  for (const folder of folders) {
    const own = readSkillFolder(folder)
    notes.push(...own.notes)
    for (const skill of own.skills) {
      const other = found.get(skill.name)
      if (other === undefined) found.set(skill.name, skill)
      else if (followed(other.path) !== followed(skill.path))
        notes.push({
          path: skill.path,
          text: `hidden by ${other.path}, which is also called ${skill.name}`,
          kind: 'note',
        })
    }
  }
  return { skills: [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), notes }
}

/** Reads the skills of one folder, and of the folders that group them there. */
export function readSkillFolder(folder: InstructionFolder): FoundSkills {
  const skills: Skill[] = []
  const notes: SkillNote[] = []
  for (const path of skillFiles(folder, notes)) {
    const file = readInstructionFile(path, folder.root)
    if (file.type === 'refused') {
      notes.push({ path, text: file.reason, kind: 'unusable' })
      continue
    }
    const read = readSkill(file.value, { path, source: folder.source })
    notes.push(...[...read.notes].sort((a, b) => lineOf(a) - lineOf(b)))
    if (read.skill !== undefined)
      skills.push(ofPlugin(placed(bound(read.skill, folder, file.value), folder), folder.plugin))
  }
  return { skills, notes }
}

/** Binds what a skill of a project asks for to an approval. */
function bound(skill: Skill, { source, root }: InstructionFolder, content: string): Skill {
  const { asks, path } = skill
  if (asks === undefined || source !== 'project' || root === undefined) return skill
  return { ...skill, asks: askedByProject(asks, { root, path, content }) }
}

/** Puts the folders of this run in their places. */
function placed(skill: Skill, { project, plugin }: InstructionFolder): Skill {
  const { asks, body, path } = skill
  const places = { project, plugin, folder: dirname(path) }
  return {
    ...skill,
    body: withProjectFolder(body, places),
    ...(asks && { asks: withRuleFolders(asks, places) }),
  }
}

/** Names a skill of a plugin after it. */
function ofPlugin(skill: Skill, plugin: Plugin | undefined): Skill {
  return plugin === undefined ? skill : { ...skill, name: `${plugin.name}:${skill.name}`, plugin }
}

function lineOf({ text }: SkillNote): number {
  return Number(/^(\d+):/.exec(text)?.[1] ?? Number.MAX_SAFE_INTEGER)
}

/** Lists the files of skills: the folder's own, else those below. */
function skillFiles({ path, root }: InstructionFolder, notes: SkillNote[]): readonly string[] {
  const files: string[] = []
  let visited = 0
  const walk = (folder: string, level: number): void => {
    if (++visited > limits.folders) return
    // A link upwards would take whatever lies in the home for the user's skills.
    if (level > 0 && holds(folder, path)) {
      notes.push({ path: folder, text: 'ignored: it leads to a folder that contains it', kind: 'unusable' })
      return
    }
    const entries = entriesIn(folder, { root, notes })
    const file = entries.find(({ name, isFolder }) => !isFolder && name.toUpperCase() === 'SKILL.MD')
    if (file !== undefined) files.push(join(folder, file.name))
    else if (level < limits.levels)
      for (const { name, isFolder } of entries) if (isFolder) walk(join(folder, name), level + 1)
  }
  walk(path, 0)
  if (files.length > limits.skills || visited > limits.folders) {
    const text = `only the first ${limits.skills} skills and ${limits.folders} folders are read`
    notes.push({ path, text, kind: 'unusable' })
  }
  return files.slice(0, limits.skills)
}
