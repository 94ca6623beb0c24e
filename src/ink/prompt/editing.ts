import { type Bindings, bindings } from '../keys/bindings.ts'
import type { Key } from '../tty/key.ts'
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
      return key.text.length > shownPasteLength ? paste(prompt, key.text) : insertText(prompt, key.text)
    case 'paste':
      return paste(prompt, key.text)
    default: {
      const meanings = editing.bindings.byKey.get(key.name) ?? []
      const edit = meanings.find(({ context }) => context === 'editing')
      return edit === undefined ? undefined : applyEdit(prompt, edit.name, editing.columns)
    }
  }
}
