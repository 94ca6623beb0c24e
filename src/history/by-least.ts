/** Sorts by amount. Unknown amounts come last, in their own order. */
export function byLeast<T>(items: readonly T[], amount: (item: T) => number | undefined): readonly T[] {
  const of = (item: T) => amount(item) ?? Number.MAX_VALUE
  return items.toSorted((a, b) => of(a) - of(b))
}
