/** Looks up rows by each of their names, which are separated by spaces. */
export function byName<Row>(rows: Readonly<Record<string, Row>>): ReadonlyMap<string, Row> {
  return new Map(
    Object.entries(rows).flatMap(([names, row]) => names.split(' ').map((name) => [name, row] as const)),
  )
}
