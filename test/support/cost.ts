/**
 * Measures how many times more CPU this process uses on input sixteen times as large: about 16 if linear, 256 if quadratic. Compares
 * one large run with sixteen small ones, which take as long and so meet the same machine, and returns the least of three such ratios.
 */
export async function growth(act: (size: number) => unknown, size: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < 3; i++) {
    const small = await cpuOf(async () => {
      for (let j = 0; j < 16; j++) await act(size / 16)
    })
    least = Math.min(least, (16 * (await cpuOf(() => act(size)))) / small)
  }
  return least
}

/** Returns the microseconds of CPU that this process uses meanwhile. */
async function cpuOf(act: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await act()
  const { user, system } = process.cpuUsage(before)
  return Math.max(1, user + system)
}
