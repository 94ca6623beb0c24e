import type { Wired } from '../../wiring/wired.ts'

/**
 * Prepares what the message of a prompt will hold: memories that fit its meaning, and the sessions and
 * the material of MCP servers that it mentions. Resolves with a note for the user. `undefined` if there is nothing to wait for, as after it has been done. Throws `input`,
 * `tool`, `aborted`.
 */
export function prepareMessage(
  prompt: string,
  {
    memories,
    mentionedSessions,
    serverMentions,
  }: Pick<Wired, 'memories' | 'mentionedSessions' | 'serverMentions'>,
  signal: AbortSignal,
): Promise<string | undefined> | undefined {
  const sessions = mentionedSessions.prepare(prompt, signal)
  const ranking = memories?.prepare(prompt, signal)
  const material = serverMentions?.prepare(prompt, signal)
  return sessions === undefined && material === undefined
    ? ranking
    : Promise.all([ranking, sessions, material]).then(([note]) => note)
}
