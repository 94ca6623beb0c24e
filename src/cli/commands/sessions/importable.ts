import { oneLine } from '../../../characters/one-line.ts'
import { minuteOf } from '../../../characters/shown-time.ts'
import { counted } from '../../../frontend/words/amount.ts'
import { type FoundSession, findSessions } from '../../../import/find-sessions.ts'
import { openingOf } from '../../../json/sessions/session-summary.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { printWarning } from '../../../terminal/output.ts'
import { printable } from '../../../terminal/printable.ts'
import type { RunContext } from '../../run-context.ts'
import { JsonList } from '../json-list.ts'

/** Maximum sessions that are listed as text. */
const mostShown = 20

/** Lists the sessions of other agents about this folder, last written first, with the command that imports each. As JSON lists all. */
export async function listImportable({ host, flags, signal }: RunContext): Promise<void> {
  const { env, home, cwd, newId, clock, stdout } = host
  const listed = flags.format === 'json' ? new JsonList(stdout, 'found') : undefined
  let count = 0
  for await (const found of findSessions({ env, home, cwd, newId, now: clock.now(), signal })) {
    count++
    if (listed !== undefined) listed.add(encode(found))
    else if (count <= mostShown) stdout.write(rowOf(found))
  }
  listed?.end()
  if (count === 0)
    printWarning(host, `no other agent's session for ${cwd} was found; name a file to import it`)
  else if (listed === undefined && count > mostShown)
    printWarning(host, `not listed: ${counted(count - mostShown, 'older session')}; --json lists all`)
}

function rowOf({ path, agent, updatedAt, title, messages }: FoundSession): string {
  const about = oneLine(printable(title ?? openingOf(messages) ?? ''), 80)
  const time = minuteOf(updatedAt)
  return `${time}  ${agent}  ${about}\n  pipe sessions import ${quoted(printable(path))}\n`
}

function encode({ path, agent, updatedAt, title, messages }: FoundSession): object {
  const opening = openingOf(messages) ?? ''
  return { file: path, agent, updated_at: updatedAt, ...omitUndefined({ title }), opening }
}

function quoted(path: string): string {
  return /^[\w./@:+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}
