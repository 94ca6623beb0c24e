/**
 * Measures how many times more CPU this process uses on input sixteen times as large: about 16 if linear, 256 if quadratic. Uses
 * the cheapest of six runs each. Other programs on the machine do not count.
 */
export async function growth(act: (size: number) => unknown, size: number): Promise<number> {
  return (await cheapest(act, size)) / (await cheapest(act, size / 16))
}

async function cheapest(act: (size: number) => unknown, size: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < 6; i++) {
    const before = process.cpuUsage()
    await act(size)
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, user + system)
  }
  return least
}
