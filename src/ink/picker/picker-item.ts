import { printable } from '../../terminal/printable.ts'
import type { Line } from '../rows/line.ts'

/** A row to choose. */
export interface PickerItem {
  readonly id: string
  readonly label: string
  /** Items with the same group stand below a heading. Default: no heading. */
  readonly group?: string
  /** Facts at the right, such as an age, the most important first. */
  readonly facts?: readonly string[]
  /** More text, shown while the row is focused. The filter searches it too. */
  readonly preview?: string
  /** Rows that are shown instead of a preview. */
  readonly sample?: readonly Line[]
  /** Whether it is focused at first. Default: the first item is. */
  readonly isFocused?: boolean
  /** Whether it is the one in use, which is marked. */
  readonly isCurrent?: boolean
  /** Whether it cannot be used now. It is shown in grey. */
  readonly isOff?: boolean
  /** Whether it waits behind the last row of a list that folds some items, until that row is opened or a filter finds it. */
  readonly isFolded?: boolean
  /** Sorts the item in each of the list's orders: a smaller number or an earlier text comes first. */
  readonly sortKeys?: readonly (number | string)[]
  /** Forms of the item, of which Left and Right choose one. */
  readonly variants?: readonly Variant[]
  /** Position of the form that is chosen at first. Default: 0. */
  readonly variant?: number
}

/** A form of an item. */
export interface Variant {
  /** Stands for the item's id when the form is chosen. */
  readonly id: string
  readonly label: string
}

/** An item of an open list. */
export interface Searchable extends PickerItem {
  /** In lower case. */
  readonly searched: string
  /** Whether it stands for the folded items. */
  readonly isFold?: boolean
}

/** Cleans an item for the screen, and collects its text to search. */
export function searchable({
  label,
  group,
  facts = [],
  preview = '',
  variants,
  ...item
}: PickerItem): Searchable {
  const clean = {
    ...item,
    label: inOneRow(label),
    facts: facts.map(inOneRow),
    preview: printable(preview),
    ...(group === undefined ? {} : { group: inOneRow(group) }),
    ...(variants === undefined
      ? {}
      : { variants: variants.map((one) => ({ ...one, label: inOneRow(one.label) })) }),
  }
  return { ...clean, searched: `${clean.label}\n${clean.group ?? ''}\n${clean.preview}`.toLowerCase() }
}

/** Cleans a text for one row. Keeps leading spaces, which indent a tree. */
export function inOneRow(text: string): string {
  return printable(text).replace(/[\t\n]+/g, ' ')
}

const collator = new Intl.Collator(undefined, { numeric: true })

/** Sorts items by one of their keys, each group by itself. Groups keep their order. */
export function sorted(items: readonly Searchable[], order: number): readonly Searchable[] {
  const groups = new Map<string | undefined, number>()
  for (const { group } of items) if (!groups.has(group)) groups.set(group, groups.size)
  const rankOf = ({ group }: Searchable) => groups.get(group) ?? 0
  const keyOf = ({ sortKeys }: Searchable) => sortKeys?.[order] ?? 0
  return items.toSorted((a, b) => rankOf(a) - rankOf(b) || compared(keyOf(a), keyOf(b)))
}

function compared(a: number | string, b: number | string): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return collator.compare(String(a), String(b))
}
