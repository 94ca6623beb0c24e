import type { Plugin } from '../../machine/plugin.ts'
import { withPluginFolders } from '../../machine/plugin-folders.ts'
import { peerProjectFolder, peerSkillFolder } from '../agents/peer-agents.ts'
import type { InstructionAsks } from './instruction-asks.ts'

/** Names the folders that variables in a skill or command stand for. An absent one leaves its variable as it is. */
export interface InstructionPlaces {
  readonly project?: string | undefined
  readonly plugin?: Plugin | undefined
  /** The folder of the skill. */
  readonly folder?: string | undefined
}

/** Puts the folder of the project in its place in a text. */
export function withProjectFolder(text: string, { project }: InstructionPlaces): string {
  return text.replace(peerProjectFolder, (variable) => project ?? variable)
}

/** Puts folders in their places in the rules of a file, without options of a plugin, which could hold more than a path. */
export function withRuleFolders(asks: InstructionAsks, places: InstructionPlaces): InstructionAsks {
  const { plugin, project, folder } = places
  const own = plugin && isWord(plugin.root) && isWord(plugin.data) ? plugin : undefined
  const allowed = asks.allowed.map((rule) => {
    const placed = own === undefined ? rule : withPluginFolders(rule, { root: own.root, data: own.data })
    return withProjectFolder(placed, { project: isWord(project) ? project : undefined }).replace(
      peerSkillFolder,
      (variable) => (isWord(folder) ? folder : variable),
    )
  })
  return { ...asks, allowed }
}

/** Whether a rule reads a folder as one word, without a character that could widen the rule. */
function isWord(folder: string | undefined): folder is string {
  return folder !== undefined && /^[\p{L}\p{N}_./@+,-]+$/u.test(folder)
}
