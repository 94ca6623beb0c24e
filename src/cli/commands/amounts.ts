const units = ['B', 'KB', 'MB', 'GB', 'TB']

/** Formats bytes in units of 1,024: `950 B`, `1.2 KB`, `36 MB`. */
export function formatSize(bytes: number): string {
  let [size, unit] = [bytes, 0]
  while (size >= 999.5 && unit < units.length - 1) [size, unit] = [size / 1_024, unit + 1]
  return `${size < 9.95 && unit > 0 ? size.toFixed(1) : Math.round(size)} ${units[unit]}`
}

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]

/** Formats the time since something happened: `now`, `5 min`, `3 h`, `2 d`. */
export function formatAge(ms: number): string {
  if (!(ms >= minute)) return 'now'
  if (ms < hour) return `${Math.floor(ms / minute)} min`
  return ms < day ? `${Math.floor(ms / hour)} h` : `${Math.floor(ms / day)} d`
}

/** `1 session`, `3 sessions`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
