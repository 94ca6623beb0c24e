import { resolve } from 'node:path'
import { addAbortSignal } from 'node:stream'
import { oneLine } from '../../../characters/one-line.ts'
import { exitCodes, isSurvivable, PipeError, throwIfAborted } from '../../../error.ts'
import { readChunks } from '../../../files/reading/chunks.ts'
import { fileError } from '../../../files/system-error.ts'
import { type OpenedSession, openSession } from '../../../import/session-file.ts'
import { openingOf } from '../../../json/sessions/session-summary.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { printWarning } from '../../../terminal/output.ts'
import { printable } from '../../../terminal/printable.ts'
import { readOwnSettings } from '../../choices.ts'
import { hasInput } from '../../run/message/stdin.ts'
import type { RunContext } from '../../run-context.ts'
import { openSettings } from '../../wiring/read-settings.ts'
import { type SavedImport, saveImport } from '../../wiring/session/save-import.ts'
import { JsonList } from '../json-list.ts'

/** Maximum damaged lines that are reported one by one. */
const mostNamed = 5

/**
 * Imports sessions of other agents as new sessions, and reports each. Goes on after a file that cannot be imported, and returns the exit
 * code of the first. Without files, lists what can be imported.
 */
export async function importSessions(files: readonly string[], context: RunContext): Promise<number> {
  if (files.length === 0) {
    await (await import('./importable.ts')).listImportable(context)
    return 0
  }
  const { host, flags } = context
  const { settings } = await openSettings(host, readOwnSettings(flags))
  const listed = flags.format === 'json' ? new JsonList(host.stdout, 'imported') : undefined
  let exitCode = 0
  for (const file of files) {
    try {
      const session = await readFile(file, context)
      const saved = await saveImport(session, { file, isAgain: flags.has('again'), settings, context })
      if (listed === undefined) report(saved, session, context)
      else listed.add(encode(file, saved, session))
    } catch (error) {
      if (!isSurvivable(error)) throw error
      printWarning(host, error.message)
      exitCode ||= exitCodes[error.code]
    }
  }
  listed?.end()
  return exitCode
}

async function readFile(file: string, { host, signal }: RunContext): Promise<OpenedSession> {
  const { env, home, newId, clock } = host
  const path = file === '-' ? undefined : resolve(host.cwd, file)
  const chunks = path === undefined ? readStdin(signal) : readChunks(path, { signal })
  try {
    const session = await openSession(chunks, { path, env, home, newId, now: clock.now(), signal })
    if (session.messages.length > 0) return session
    throw new PipeError('input', `it contains no message that pipe can import${leftOutOf(session)}`)
  } catch (error) {
    if (!isSurvivable(error)) throw error
    const message = error.code === 'input' ? `cannot import ${file}: ${error.message}` : error.message
    throw new PipeError('input', message, { cause: error, details: error.details })
  }
}

async function* readStdin(signal: AbortSignal): AsyncGenerator<Uint8Array> {
  if (!hasInput()) throw new PipeError('input', 'stdin has no input')
  try {
    yield* addAbortSignal(signal, process.stdin)
  } catch (error) {
    throwIfAborted(signal)
    throw fileError(error, 'stdin', 'read')
  }
}

/** Says on stdout what was imported, and on stderr what was not. */
function report(
  { id, cwd, movedBecause, model }: SavedImport,
  session: OpenedSession,
  { host }: RunContext,
): void {
  const { agent, messages, title, beginnings, damage } = session
  const about = oneLine(printable(title ?? openingOf(messages) ?? ''), 80)
  host.stdout.write(`${id}  ${agent}, ${messages.length} messages  ${about}\n`)
  for (const path of beginnings) printWarning(host, `the earlier conversation was read from ${path}`)
  const leftOut = leftOutOf(session)
  if (leftOut !== '') printWarning(host, `not imported${leftOut}`)
  for (const { line, reason } of damage.slice(0, mostNamed))
    printWarning(host, `line ${line}: ${reason} (skipped)`)
  if (damage.length > mostNamed)
    printWarning(host, `${damage.length - mostNamed} more lines cannot be read (skipped)`)
  if (movedBecause !== undefined) printWarning(host, `${movedBecause}, so the session belongs to ${cwd}`)
  const named = model === undefined ? ' -m PROVIDER/MODEL' : ''
  printWarning(
    host,
    `continue it with: pipe -r ${id}${named}${model === undefined ? '' : ` (model ${model})`}`,
  )
}

function leftOutOf({ leftOut }: OpenedSession): string {
  return leftOut.length === 0 ? '' : `: ${leftOut.map(({ kind, count }) => `${kind} (${count})`).join(', ')}`
}

function encode(file: string, { id, cwd, model }: SavedImport, session: OpenedSession): object {
  const { agent, messages, title, beginnings, leftOut, damage } = session
  return {
    file,
    session_id: id,
    agent,
    cwd,
    ...omitUndefined({ title, model }),
    messages: messages.length,
    ...(beginnings.length === 0 ? {} : { beginnings }),
    left_out: leftOut,
    damage,
  }
}
