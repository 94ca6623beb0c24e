import { dirname } from 'node:path'
import { peerSkillFolder } from '../../../config/agents/peer-agents.ts'
import type { Skill } from '../../../config/skills/skill.ts'
import { fillIn } from '../../../frontend/own-prompt.ts'
import { withPluginFolders } from '../../../machine/plugin-folders.ts'
import { withoutFrames } from '../../../memory/frames.ts'

/** Frames the text of a skill for the model, with these words in the places that it has for them. */
export function skillText({ name, path, source, plugin, body }: Skill, words: string): string {
  const folder = dirname(path)
  const placed = plugin === undefined ? body : withPluginFolders(body, plugin)
  const filled = fillIn(
    placed.replace(peerSkillFolder, () => folder),
    words.trim(),
  )
  const clean = source === 'user' ? (text: string) => text : withoutFrames
  const attributes = clean(`name=${JSON.stringify(name)} folder=${JSON.stringify(folder)}`)
  const origin = source === 'user' ? '' : ` supplied-by="${source}"`
  return `<skill ${attributes}${origin}>\n${clean(filled)}\n</skill>`
}
