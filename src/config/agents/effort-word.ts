import { thinkingLevels } from '../../model.ts'
import type { ThinkingLevel } from '../../provider.ts'

/** Words of other agents for levels of thinking. */
const words: ReadonlyMap<string, ThinkingLevel> = new Map([
  ['max', 'xhigh'],
  ['ultracode', 'xhigh'],
  ['none', 'off'],
])

/** Reads the level of thinking that a file asks for; `undefined` for an unknown word. */
export function readEffort(word: string): ThinkingLevel | undefined {
  const named = word.toLowerCase()
  return words.get(named) ?? thinkingLevels.find((level) => level === named)
}
