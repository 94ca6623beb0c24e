import type { Picker, Searchable } from './picker.ts'

/** Whether the best match comes first. */
export function isRanked({ keepsOrder = false, filter }: Pick<Picker, 'keepsOrder' | 'filter'>): boolean {
  return !keepsOrder && filter.text.trim() !== ''
}

type Filtering = Pick<Picker, 'filter' | 'matcher' | 'keepsOrder'>

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
export function bestOf(found: readonly Searchable[], { filter, matcher, keepsOrder }: Filtering): number {
  if (keepsOrder !== true) return 0
  const ranks = found.map((item) => matcher.rank(item, filter.text) ?? 0)
  const best = ranks.reduce((most, rank) => Math.max(most, rank), 0)
  return Math.max(
    0,
    ranks.findIndex((rank) => rank >= asGood * best),
  )
}
