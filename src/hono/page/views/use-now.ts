import { useEffect, useState } from 'react'
import { usePage } from '../page-parts.ts'

/** Milliseconds between two readings of the clock, as ages are shown to the minute. */
const tickMs = 30_000

/** Returns the time in milliseconds since 1970, and draws again as it passes. */
export function useNow(): number {
  const { clock } = usePage()
  const [now, setNow] = useState(() => clock.now())
  useEffect(() => clock.every(tickMs, () => setNow(clock.now())), [clock])
  return now
}
