/** Shortens an ISO 8601 time to the minute: `2026-02-18 12:00`. */
export function minuteOf(time: string): string {
  return time.slice(0, 16).replace('T', ' ')
}

/** Shortens an ISO 8601 time to the second: `2026-02-18 12:00:05`. */
export function secondOf(time: string): string {
  return time.slice(0, 19).replace('T', ' ')
}
