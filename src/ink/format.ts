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

/** `950`, `1.2k`, `24k`, `180k`, `1.2M`. */
export function formatCount(count: number): string {
  if (count < 1_000) return String(count)
  const [part, unit] = count < 999_500 ? [count / 1_000, 'k'] : [count / 1_000_000, 'M']
  return `${part < 100 ? Number(part.toFixed(1)) : Math.round(part)}${unit}`
}

/** US dollars: `$0.0123`, `$4.20`. */
export function formatUsd(dollars: number): string {
  return `$${dollars.toFixed(dollars < 1 ? 4 : 2)}`
}

/** `1 line`, `12 lines`. */
export function formatLines(count: number): string {
  return `${formatCount(count)} line${count === 1 ? '' : 's'}`
}
