import type { Price } from '../../model.ts'

/** `950`, `1.2k`, `24k`, `180k`, `1.2M`. */
export function formatCount(count: number): string {
  if (count < 1_000) return String(count)
  const [part, unit] = count < 999_500 ? [count / 1_000, 'k'] : [count / 1_000_000, 'M']
  return `${part < 100 ? Number(part.toFixed(1)) : Math.round(part)}${unit}`
}

/** `950`, `1,200`, `24,300`. */
export function formatExactly(count: number): string {
  return count.toLocaleString('en-US')
}

/** US dollars: `$0.0123`, `$4.20`. */
export function formatUsd(dollars: number): string {
  return `$${dollars.toFixed(dollars < 1 ? 4 : 2)}`
}

/** US dollars as short as they tell something: `$0.004`, `$0.06`, `$4.20`. */
export function formatCost(dollars: number): string {
  return `$${dollars.toFixed(dollars < 0.01 ? 3 : 2)}`
}

/** For a million tokens in and out: `$3 / $15`, `$0.15 / $0.60`, `free`. */
export function formatPrice({ input, output }: Pick<Price, 'input' | 'output'>): string {
  return input === 0 && output === 0 ? 'free' : `$${priced(input)} / $${priced(output)}`
}

/** Writes a price in dollars or cents. A cheaper one keeps its digits. */
function priced(dollars: number): string {
  return Number.isInteger(dollars) || dollars < 0.01 ? `${dollars}` : dollars.toFixed(2)
}

/** `1 line`, `12 lines`. */
export function formatLines(count: number): string {
  return `${formatCount(count)} line${count === 1 ? '' : 's'}`
}

/** `950 bytes`, `1.2 kB`, `4.5 MB`, `1.2 GB`. */
export function formatBytes(size: number): string {
  if (size < 1_000) return `${size} bytes`
  const [unit, least] = byteUnits.find(([, bytes]) => size >= 0.9995 * bytes) ?? ['kB', 1_000]
  const amount = size / least
  return `${amount < 10 ? amount.toFixed(1) : Math.round(amount)} ${unit}`
}

const byteUnits = [
  ['GB', 1_000_000_000],
  ['MB', 1_000_000],
  ['kB', 1_000],
] as const

/** `1 session`, `3 sessions`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
