import type { Picker } from './picker.ts'
import type { Searchable } from './picker-item.ts'

type Filtering = Pick<Picker, 'filter' | 'matcher' | 'keepsOrder' | 'order'>

/** Whether the best match comes first. An order that the user chose stays. */
export function isRanked(filtering: Omit<Filtering, 'matcher'>): boolean {
  return !keeps(filtering) && filtering.filter.text.trim() !== ''
}

function keeps({ keepsOrder = false, order }: Pick<Filtering, 'keepsOrder' | 'order'>): boolean {
  return keepsOrder || order > 0
}

/** Returns the items that the filter matches, in the order in which they are shown. */
export function matching(items: readonly Searchable[], filtering: Filtering): readonly Searchable[] {
  const { filter, matcher } = filtering
  if (filter.text.trim() === '') return items
  const ranked = items.flatMap((item) => {
    const rank = matcher.rank(item, filter.text)
    return rank === undefined ? [] : [{ item, rank }]
  })
  const best = ranked.reduce((most, { rank }) => Math.max(most, rank), 0)
  const good = ranked.filter(({ rank }) => rank === 0 || rank >= goodEnough * best)
  // Sorting is stable, so equal matches keep their order.
  const ordered = isRanked(filtering) ? good.sort((a, b) => b.rank - a.rank) : good
  return ordered.map(({ item }) => item)
}

/** Matches that are worse by more than this would only hide the best one. */
const goodEnough = 0.6
/** A match this close to the best one is as good, so that the order decides. */
const asGood = 0.9

/** Returns the position of the best match. */
export function bestOf(found: readonly Searchable[], filtering: Filtering): number {
  const { filter, matcher } = filtering
  if (!keeps(filtering)) return 0
  const ranks = found.map((item) => matcher.rank(item, filter.text) ?? 0)
  const best = ranks.reduce((most, rank) => Math.max(most, rank), 0)
  return Math.max(
    0,
    ranks.findIndex((rank) => rank >= asGood * best),
  )
}
