import type { OwnPrompt } from '../own-prompt.ts'
import text from './init.md'

/** The command that has the model write an AGENTS.md. */
export const initPrompt: OwnPrompt = {
  name: 'init',
  description: 'let the model write an AGENTS.md for this project',
  text: text.trim(),
  source: 'of pipe',
}
