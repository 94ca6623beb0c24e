import type { Action } from '../keys/action.ts'
import { newSearch } from '../prompt/history-search.ts'
import { insertText, promptMark } from '../prompt/prompt.ts'
import { hasWaiting, readDraftKey } from '../prompt/prompt-keys.ts'
import { moveRow } from '../prompt/prompt-rows.ts'
import { textColumns } from '../prompt/prompt-view.ts'
import type { Screen } from '../state.ts'
import type { Key } from '../tty/key.ts'
import { isCommanding } from './vim.ts'
import { withVim } from './vim-change.ts'
import { pressVim } from './vim-keys.ts'

/** Reads a key at a prompt with vim keys; `undefined` for one that means what it means without them. */
export function readVimKey(screen: Screen, key: Key): Action | undefined {
  const { prompt, size } = screen
  const { vim, text } = prompt
  if (vim === undefined || key.type === 'paste') return undefined
  const columns = textColumns(size.columns, promptMark)
  if (key.type === 'press')
    return pressVim(prompt, key.name, columns) === undefined ? undefined : readDraftKey(screen, key)
  if (!isCommanding(vim)) return undefined
  const isFirst = vim.mode === 'normal' && vim.pending === ''
  if (isFirst && key.text === '/') return { type: 'search', search: newSearch }
  if (isFirst && text === '' && key.text === '?') return undefined
  if (isFirst && text === '' && key.text === '!')
    return {
      type: 'edit',
      prompt: withVim(insertText(prompt, '!'), { mode: 'insert', insertion: undefined }),
    }
  const isTaking = isFirst && key.text === 'k' && moveRow(prompt, -1, columns) === undefined
  return isTaking && hasWaiting(screen) ? { type: 'take_back' } : readDraftKey(screen, key)
}
