/** `850 ms`, `12.3 s`, `4 m 05 s`. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`
  const seconds = Math.floor(ms / 1_000)
  return `${Math.floor(seconds / 60)} m ${String(seconds % 60).padStart(2, '0')} s`
}

/** Formats a running time in whole seconds. */
export function formatElapsed(ms: number): string {
  return ms < 60_000 ? `${Math.floor(ms / 1_000)} s` : formatDuration(ms)
}
