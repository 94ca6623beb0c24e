import { dirname } from 'node:path'
import { peerEffort, peerSessionId, peerSkillFolder } from '../../../config/agents/peer-agents.ts'
import { type SkillPart, splitCommands } from '../../../config/skills/running-lines.ts'
import type { Skill } from '../../../config/skills/skill.ts'
import { type WithParams, withParams } from '../../../frontend/named-places.ts'
import { wordFiller } from '../../../frontend/own-prompt.ts'
import { withPluginFolders } from '../../../machine/plugin-folders.ts'
import { withoutFrames } from '../../../memory/frames.ts'
import type { ThinkingLevel } from '../../../provider.ts'

/** Holds the values that the text of a skill or command depends on. */
type SkillFile = Pick<Skill, 'name' | 'path' | 'source' | 'plugin' | 'body' | 'parameters'> & WithParams

/** Fills the places of a text. */
interface Filling extends RunValues {
  readonly words: string
}

/** Values of a run that the text of a skill or a command may name. */
export interface RunValues {
  /** Default: the variable stays as it is. */
  readonly sessionId?: string | undefined
  /** The level of thinking in force. Default: the model's own, which is called `default`. */
  readonly effort?: ThinkingLevel | 'default' | undefined
}

/** Puts the values of a run where a text names them. */
export function withRunValues(text: string, { sessionId, effort = 'default' }: RunValues): string {
  return text.replace(peerEffort, effort).replace(peerSessionId, (variable) => sessionId ?? variable)
}

/** Frames the text of a skill for the model, with these words in the places that it has for them. Its commands stay as they are written. */
export function skillText(skill: SkillFile, filling: Filling): string {
  const parts = skillParts(skill, filling)
  return skillFrame(skill, parts.map((part) => (part.type === 'text' ? part.text : part.written)).join(''))
}

/** Splits the text of a skill at its commands, which are found before any word is put in. */
export function skillParts(skill: SkillFile, { words, ...values }: Filling): readonly SkillPart[] {
  const { path, plugin, body, parameters, params } = skill
  const folder = dirname(path)
  const owned = plugin === undefined ? body : withPluginFolders(body, plugin)
  const placed = withRunValues(
    owned.replace(peerSkillFolder, () => folder),
    values,
  )
  const fillWords = wordFiller({ text: placed, ...(parameters && { parameters }) }, words.trim())
  const fill = (part: string) => withParams(fillWords(part), params)
  return splitCommands(placed).map((part) =>
    part.type === 'text'
      ? { ...part, text: fill(part.text) }
      : { ...part, line: withParams(fillWords(part.line, 'command'), params), written: fill(part.written) },
  )
}

/** Frames a text as that of a skill. One of others cannot end its frame. */
export function skillFrame({ name, path, source }: SkillFile, text: string): string {
  const clean = source === 'user' ? (one: string) => one : withoutFrames
  const attributes = clean(`name=${JSON.stringify(name)} folder=${JSON.stringify(dirname(path))}`)
  const origin = source === 'user' ? '' : ` supplied-by="${source}"`
  return `<skill ${attributes}${origin}>\n${clean(text)}\n</skill>`
}
