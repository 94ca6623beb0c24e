import type { PromptText } from './prompt.ts'

/** Texts that were cut, newest last. */
export type KillRing = readonly PromptText[]

/** Most texts that are kept. */
const mostKills = 30

/** Adds a cut text, or joins it to the newest one. `side` is the side of the cursor that it was on. */
export function addKill(
  kills: KillRing,
  killed: PromptText,
  side: 'before' | 'after',
  isJoined: boolean,
): KillRing {
  const newest = kills.at(-1)
  if (!isJoined || newest === undefined) return [...kills, killed].slice(-mostKills)
  const [first, second] = side === 'before' ? [killed, newest] : [newest, killed]
  const known = new Set(first.pastes.map(({ placeholder }) => placeholder))
  const others = second.pastes.filter(({ placeholder }) => !known.has(placeholder))
  return [...kills.slice(0, -1), { text: first.text + second.text, pastes: [...first.pastes, ...others] }]
}
