/** Names the day of the user's time zone, `2026-11-30`, at a time in ms since 1970. */
export function localDay(ms: number): string {
  const time = new Date(ms)
  const [month, day] = [time.getMonth() + 1, time.getDate()].map((part) => String(part).padStart(2, '0'))
  return `${time.getFullYear()}-${month}-${day}`
}
