/** `850 ms`, `12.3 s`, `4 m 05 s`. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`
  const seconds = Math.floor(ms / 1_000)
  return `${Math.floor(seconds / 60)} m ${String(seconds % 60).padStart(2, '0')} s`
}

/** Whole seconds: what changes on the screen while something runs. */
export function formatElapsed(ms: number): string {
  return ms < 60_000 ? `${Math.floor(ms / 1_000)} s` : formatDuration(ms)
}

/** `950`, `12.3k`, `1.2M`. */
export function formatCount(count: number): string {
  if (count < 1_000) return String(count)
  return count < 1_000_000 ? `${(count / 1_000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`
}

/** `1 line`, `12 lines`. */
export function formatLines(count: number): string {
  return `${formatCount(count)} line${count === 1 ? '' : 's'}`
}
