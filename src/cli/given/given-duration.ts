const units: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

/** Reads `90s`, `5m`, `1h30m`, `2d`, `1w` as milliseconds; a plain number is seconds. `undefined` for anything else, and for zero. */
export function readDuration(text: string): number | undefined {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhdw])/g)]
  const isPlain = /^\d+(\.\d+)?$/.test(text)
  if (!isPlain && parts.map(([part]) => part).join('') !== text) return undefined
  const ms = isPlain
    ? Number(text) * 1_000
    : parts.reduce((sum, [, number, unit = '']) => sum + Number(number) * (units[unit] ?? 0), 0)
  return ms > 0 ? ms : undefined
}
