import { editPrompt } from '../prompt/editing.ts'
import { emptyPrompt, insertText } from '../prompt/prompt.ts'
import type { Key } from '../tty/key.ts'
import { filtered, type Picker, reordered, unfolded } from './picker.ts'
import { inOneRow, type PickerItem } from './picker-item.ts'

export type PickerAction =
  | { readonly type: 'change_picker'; readonly picker: Picker }
  | { readonly type: 'pick'; readonly id: string }
  /** Acts on an item with a letter of `verbs`. */
  | { readonly type: 'use_item'; readonly id: string; readonly verb: string }
  | { readonly type: 'next_list' }
  | { readonly type: 'cancel_pick' }
  | { readonly type: 'nothing' }

/** Maps a key to an action. `page` is the number of visible items. Pure. */
export function readPickerKey(picker: Picker, page: number, key: Key): PickerAction {
  if (key.type === 'text' || key.type === 'paste') return readText(picker, key.text)
  if (key.type !== 'press') return { type: 'nothing' }
  const { found, focus, filter } = picker
  const item = found[focus]
  if (item?.isFold === true && (key.name === 'enter' || key.name === 'right')) return change(unfolded(picker))
  if (key.name === 'enter') {
    return item === undefined ? { type: 'nothing' } : { type: 'pick', id: chosenId(picker, item) }
  }
  if (key.name === 'tab' && picker.tab !== undefined) return { type: 'next_list' }
  if (key.name === sortKey && picker.orders !== undefined) return change(reordered(picker))
  if (leaving.has(key.name)) {
    return filter.text === '' ? { type: 'cancel_pick' } : change(filtered(picker, emptyPrompt))
  }
  const moved = movedFocus(key.name, { focus, page, last: Math.max(0, found.length - 1) })
  if (moved !== undefined) return change({ ...picker, focus: moved })
  const step = steps[key.name]
  if (step !== undefined && item?.variants !== undefined) return change(stepped(picker, item, step))
  const edited = picker.verbs === undefined && edits.has(key.name) ? editPrompt(filter, key) : undefined
  return edited === undefined ? { type: 'nothing' } : change(filtered(picker, edited))
}

function readText(picker: Picker, text: string): PickerAction {
  const { verbs, filter, found, focus } = picker
  if (verbs === undefined) return change(filtered(picker, insertText(filter, inOneRow(text))))
  const item = found[focus]
  const id = item?.isFold === true ? undefined : item?.id
  return Object.hasOwn(verbs, text) && id !== undefined
    ? { type: 'use_item', id, verb: text }
    : { type: 'nothing' }
}

/** Keys that clear the filter, or cancel if it is empty. */
const leaving: ReadonlySet<string> = new Set(['esc', 'ctrl+c', 'ctrl+d'])

const steps: Readonly<Record<string, number | undefined>> = { left: -1, right: 1 }

/** Sorts the list in its next order. */
const sortKey = 'ctrl+s'

/** Returns the position of the chosen form of an item; `undefined` if it has one form only. */
export function variantOf(
  { variants }: Picker,
  { id, variant = 0, ...item }: PickerItem,
): number | undefined {
  return item.variants === undefined ? undefined : (variants.get(id) ?? variant)
}

function chosenId(picker: Picker, item: PickerItem): string {
  return item.variants?.[variantOf(picker, item) ?? 0]?.id ?? item.id
}

/** Chooses the form before or after the chosen one. */
function stepped(picker: Picker, item: PickerItem, step: number): Picker {
  const last = (item.variants?.length ?? 1) - 1
  const to = Math.min(last, Math.max(0, (variantOf(picker, item) ?? 0) + step))
  return { ...picker, variants: new Map(picker.variants).set(item.id, to) }
}

/** A position in a list, the number of rows visible at once, and the last position. */
interface ListPosition {
  readonly focus: number
  readonly page: number
  readonly last: number
}

/** Returns the focused position after a key that moves it; `undefined` for other keys. */
export function movedFocus(key: string, { focus, page, last }: ListPosition): number | undefined {
  const to = moves[key]?.(focus, page, last)
  return to === undefined ? undefined : Math.min(last, Math.max(0, to))
}

const moves: Readonly<Record<string, (focus: number, page: number, last: number) => number>> = {
  up: (focus) => focus - 1,
  down: (focus) => focus + 1,
  'ctrl+p': (focus) => focus - 1,
  'ctrl+n': (focus) => focus + 1,
  pageup: (focus, page) => focus - page,
  pagedown: (focus, page) => focus + page,
  home: () => 0,
  end: (_, __, last) => last,
}

/** Keys that edit the filter within its one line. */
const edits: ReadonlySet<string> = new Set([
  ...['left', 'right', 'ctrl+b', 'ctrl+f', 'ctrl+a', 'ctrl+e', 'ctrl+left', 'ctrl+right', 'alt+b', 'alt+f'],
  ...['backspace', 'delete', 'ctrl+h', 'ctrl+w', 'alt+backspace', 'ctrl+u', 'ctrl+k'],
])

function change(picker: Picker): PickerAction {
  return { type: 'change_picker', picker }
}
