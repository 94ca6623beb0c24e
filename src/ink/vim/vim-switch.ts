import type { Store } from '../store.ts'

/** Gives the prompt the keys of vim, or its usual ones back. Returns a note for the user. */
export function switchEditor(store: Store): string {
  const isVim = store.screen.prompt.vim === undefined
  store.dispatch({ type: 'editor', isVim })
  return isVim
    ? 'the prompt has the keys of vim; the setting "tui": { "editor": "vim" } keeps them'
    : 'the prompt has its usual keys again'
}
