import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const elf = (prompt: string, more = {}) => ['elf', { prompt, agent: 'explore', ...more }] as const

/** Ends the process that holds the sessions. */
export function end(home: string, signal: NodeJS.Signals): void {
  const folder = join(home, 'sessions')
  const [lock = ''] = readdirSync(folder).filter((name) => name.endsWith('.lock'))
  const { pid }: { readonly pid: number } = JSON.parse(readFileSync(join(folder, lock), 'utf8'))
  process.kill(pid, signal)
}
