import type { ServerPool } from '../server-pool.ts'
import { completedValues } from './completed-values.ts'

/** Whether a value can stand on the line of a command. */
const fits = /^[^\p{C}\p{Zl}\p{Zp}"]{1,500}$/u

/** Lists what the server of a prompt offers for the argument after these words. Throws as `ServerPool.prompt`. */
export async function promptValues(
  pool: ServerPool,
  {
    command,
    words,
    typed,
  }: { readonly command: string; readonly words: readonly string[]; readonly typed: string },
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { server, prompt } = await pool.prompt(command, signal)
  // The last argument takes all words that are left.
  const current = prompt.args[words.length]
  if (current === undefined) return []
  const filled = Object.fromEntries(
    prompt.args.slice(0, words.length).map(({ name }, i) => [name, words[i] ?? '']),
  )
  const ref = { type: 'ref/prompt', name: prompt.name } as const
  const values = await completedValues(server, { ref, name: current.name, value: typed, filled }, signal)
  return [...new Set(values)].filter((one) => fits.test(one))
}
