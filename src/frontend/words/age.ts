const minute = 60_000
/** Units of an age with their length in ms, longest first. */
const units = [
  ['y', 365 * 24 * 60 * minute],
  ['d', 24 * 60 * minute],
  ['h', 60 * minute],
  ['min', minute],
] as const

/** Formats the time since an ISO 8601 timestamp in its largest unit: `now`, `5 min`, `3 h`, `12 d`, `2 y`. `now` is in ms since 1970. */
export function formatAge(timestamp: string, now: number): string {
  const ms = now - Date.parse(timestamp)
  const [unit, length] = units.find(([, least]) => ms >= least) ?? []
  return unit === undefined ? 'now' : `${Math.floor(ms / length)} ${unit}`
}
