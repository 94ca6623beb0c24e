import { type Bindings, bindings } from '../keys/bindings.ts'
import type { Key } from '../tty/key.ts'
import { isCommanding } from '../vim/vim.ts'
import { pressVim, typeVim } from '../vim/vim-keys.ts'
import { applyEdit } from './edits.ts'
import { insertText, type Prompt, paste, shownPasteLength } from './prompt.ts'

/** The surroundings of an edit: the meanings of keys, and the columns after which rows wrap. */
export interface Editing {
  readonly bindings: Bindings
  readonly columns: number
}

/** Returns the prompt after a key; `undefined` for a key that edits nothing. Rows do not wrap by default. */
export function editPrompt(
  prompt: Prompt,
  key: Key,
  editing: Editing = { bindings, columns: Number.POSITIVE_INFINITY },
): Prompt | undefined {
  switch (key.type) {
    case 'text':
      // So much text at once is a paste that the terminal did not mark.
      if (key.text.length > shownPasteLength) return paste(prompt, key.text)
      return isCommanding(prompt.vim)
        ? typeVim(prompt, key.text, editing.columns)
        : insertText(prompt, key.text)
    case 'paste':
      return paste(prompt, key.text)
    default: {
      const commanded = pressVim(prompt, key.name, editing.columns)
      if (commanded !== undefined) return commanded
      const meanings = editing.bindings.byKey.get(key.name) ?? []
      const edit = meanings.find(({ context }) => context === 'editing')
      return edit === undefined ? undefined : applyEdit(prompt, edit.name, editing.columns)
    }
  }
}
