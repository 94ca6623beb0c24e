import { editPrompt } from '../../../src/ink/prompt/editing.ts'
import { emptyPrompt, type Prompt } from '../../../src/ink/prompt/prompt.ts'
import type { Key } from '../../../src/ink/tty/key.ts'
import { newVim } from '../../../src/ink/vim/vim.ts'

const names: Readonly<Record<string, string>> = { '<Esc>': 'esc', '<C-R>': 'ctrl+r' }

/** Splits keys as vim writes them: characters, `<Esc>` and `<C-R>`. */
export function keysOf(written: string): readonly Key[] {
  return Array.from(written.matchAll(/<Esc>|<C-R>|./gsu), ([one]): Key => {
    const name = names[one]
    return name === undefined ? { type: 'text', text: one } : { type: 'press', name }
  })
}

/** Returns a prompt in the normal mode. A bar in the text marks its cursor. */
export function normalPrompt(marked: string): Prompt {
  const cursor = marked.indexOf('|')
  const text = marked.slice(0, cursor) + marked.slice(cursor + 1)
  return { ...emptyPrompt, text, cursor, vim: { ...newVim, mode: 'normal' } }
}

/** Types keys into a prompt. */
export function typed(prompt: Prompt, keys: string): Prompt {
  return keysOf(keys).reduce((now, key) => editPrompt(now, key) ?? now, prompt)
}

/** Marks the cursor in the text of a prompt. */
export function marked({ text, cursor }: Prompt): string {
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`
}

/** Returns a draft after keys in the normal mode, each with its cursor marked. */
export function afterKeys(before: string, keys: string): string {
  return marked(typed(normalPrompt(before), keys))
}
