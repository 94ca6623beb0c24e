import { columnsOf } from '../rows/columns.ts'
import type { Screen } from '../state.ts'
import { nextOrder, type Picker } from './picker.ts'

/** Explains the keys of the open picker in the longest form that fits. */
export function pickerHint({ picker, questions, size }: Screen): string | undefined {
  if (picker === undefined || questions.length > 0) return undefined
  const forms = formsOf(picker).map((parts) => parts.join(' · '))
  return forms.find((form) => columnsOf(form) <= size.columns) ?? forms.at(-1)
}

function formsOf(picker: Picker): readonly (readonly string[])[] {
  const { found, focus, filter, verbs, enter = 'chooses', tab, order, orders = [] } = picker
  const item = found[focus]
  const levels = item?.variants === undefined ? [] : ['← → changes its level']
  const letters = Object.entries(verbs ?? {}).map(([letter, meaning]) => `${letter} ${meaning}`)
  const lists = tab === undefined ? [] : [`Tab ${tab}`]
  const next = orders[nextOrder(picker)]
  const sorts = next === undefined || nextOrder(picker) === order ? [] : [`Ctrl+S sorts by ${next}`]
  const esc = verbs !== undefined ? 'Esc closes' : filter.text === '' ? 'Esc cancels' : 'Esc clears'
  const ends = [item?.isFold === true ? 'Enter shows them' : `Enter ${enter}`, esc]
  const short = [...levels, ...lists, ...sorts, ...letters, ...ends]
  const search = verbs === undefined ? ['type to search'] : []
  const bare =
    sorts.length === 0
      ? []
      : [
          [...lists, 'Ctrl+S sorts', ...ends],
          [...lists, 'Ctrl+S sorts'],
        ]
  return [[...search, '↑ ↓ PgUp PgDn move', ...short], [...search, ...short], short, ...bare, ends]
}
