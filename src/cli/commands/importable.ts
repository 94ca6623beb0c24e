import { findSessions } from '../../import/find-sessions.ts'
import { openingOf } from '../../json/summary.ts'
import { tell } from '../../terminal/output.ts'
import { printable } from '../../terminal/printable.ts'
import { oneLine } from '../../text/one-line.ts'
import type { RunContext } from '../run-context.ts'
import { JsonList } from './json-list.ts'

const mostShown = 20

/** Lists the sessions of other agents about this folder, last written first, with the command that imports each. */
export async function listImportable({ host, flags, signal }: RunContext): Promise<void> {
  const { env, home, cwd, newId, clock, stdout } = host
  const listed = flags.format === 'json' ? new JsonList(stdout, 'found') : undefined
  let shown = 0
  for await (const found of findSessions({ env, home, cwd, newId, now: clock.now(), signal })) {
    if (shown === mostShown) break
    shown++
    const { path, agent, updatedAt, messages } = found
    const opening = openingOf(messages) ?? ''
    if (listed === undefined) {
      const about = oneLine(printable(opening), 80)
      stdout.write(`${updatedAt.slice(0, 16).replace('T', ' ')}  ${agent}  ${about}\n`)
      stdout.write(`  pipe sessions import ${quoted(printable(path))}\n`)
    } else listed.add({ file: path, agent, updated_at: updatedAt, opening })
  }
  listed?.end()
  if (shown === 0) tell(host, `no session of another agent about ${cwd} was found; name a file to import it`)
}

function quoted(path: string): string {
  return /^[\w./@:+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}
