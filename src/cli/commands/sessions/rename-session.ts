import { findDirectories } from '../../../config/directories.ts'
import { cleanTitle, namedLength } from '../../../history/title-text.ts'
import { renameSession } from '../../../json/sessions/rename.ts'
import { printable } from '../../../terminal/printable.ts'
import { printableJson } from '../../../terminal/printable-json.ts'
import type { RunContext } from '../../run-context.ts'
import { findSession } from '../../wiring/session/found-session.ts'
import { openSessions } from '../../wiring/session-records.ts'

/** Gives a session a title; an empty one stands for the user's first words. Throws `input`, and `conflict` if it is in use. */
export async function rename(
  text: string,
  words: readonly string[],
  { host, flags, signal }: RunContext,
): Promise<void> {
  const store = openSessions(host, flags.duration('wait-lock'))
  const id = await findSession(text, { store, signal })
  const { sessions: directory } = findDirectories(host.env, host.home)
  const wanted = cleanTitle(words.join(' '), namedLength)
  const title = await renameSession(id, wanted, { store, directory, signal })
  host.stdout.write(
    flags.format === 'json' ? `${printableJson({ id, title })}\n` : `${id}  ${printable(title)}\n`,
  )
}
