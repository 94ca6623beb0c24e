import type { Wired } from '../../wiring/wired.ts'

/**
 * Prepares what the message of a prompt will hold: memories that fit its meaning, and the sessions it mentions. Resolves with a note for the
 * user. `undefined` if there is nothing to wait for, as after it has been done. Throws `input`, `aborted`.
 */
export function prepareMessage(
  prompt: string,
  { memories, mentionedSessions }: Pick<Wired, 'memories' | 'mentionedSessions'>,
  signal: AbortSignal,
): Promise<string | undefined> | undefined {
  const sessions = mentionedSessions.prepare(prompt, signal)
  const ranking = memories?.prepare(prompt, signal)
  return sessions === undefined ? ranking : Promise.all([ranking, sessions]).then(([note]) => note)
}
