/** `950 bytes`, `1.2 kB`, `4.5 MB`. */
export function formatBytes(size: number): string {
  if (size < 1_000) return `${size} bytes`
  const [amount, unit] = size < 999_500 ? [size / 1_000, 'kB'] : [size / 1_000_000, 'MB']
  return `${amount < 10 ? amount.toFixed(1) : Math.round(amount)} ${unit}`
}
