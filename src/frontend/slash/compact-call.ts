import type { Command } from '../../engine.ts'

/** The command to summarise the history. */
export type Compact = Extract<Command, { readonly type: 'compact' }>

/** Describes `/compact` to programs that offer it to a user. */
export const compactOffer = {
  name: 'compact',
  description: 'Summarise the conversation so far',
  hint: '[what to keep]',
} as const

/** Describes the reports that pipe gives to programs, too. */
export const reportOffers = [
  { name: 'context', description: 'Show what fills the context window', hint: '' },
  { name: 'cost', description: 'Show the tokens and the cost so far', hint: '' },
] as const

/** Reads a prompt that calls `/compact`, where no screen reads commands. Returns `undefined` for any other text. */
export function readCompact(prompt: string | undefined): Compact | undefined {
  const call = /^\/compact(?:\s+([\s\S]*))?$/.exec(prompt?.trimEnd() ?? '')
  return call === null ? undefined : compactOf(call[1])
}

/** Returns the command with the words after its name. */
export function compactOf(words: string | undefined): { type: 'compact'; keep: string | undefined } {
  return { type: 'compact', keep: words?.replace(/^keep(\s+|$)/, '') || undefined }
}
