import { minuteOf } from '../../characters/shown-time.ts'
import { exitCodes, throwIfAborted } from '../../error.ts'
import { listTurns, type UndoableTurn, type UndoneTurn } from '../../git/checkpoints/undo.ts'
import type { Shadow } from '../../git/shadow.ts'
import { printWarning } from '../../terminal/output.ts'
import { printable } from '../../terminal/printable.ts'
import { usageError } from '../flags.ts'
import type { RunContext } from '../run-context.ts'
import { openShadow } from '../wiring/session/open-checkpoints.ts'
import { describeUndone, isNothingBack, turnBack } from '../wiring/session/turn-back.ts'
import { withCommands } from '../wiring/with-commands.ts'
import { JsonList } from './json-list.ts'

/**
 * Undoes the last turns of this folder, redoes them (`--redo`) or lists them (`--list`). Prints text or JSON. Returns the exit code: 42 if
 * nothing of a turn was restored, because it was not saved.
 */
export async function runUndo(turns: number, context: RunContext): Promise<number> {
  const { host } = context
  return withCommands(host, async (commands) => {
    const shadow = await openShadow(host, commands)
    if (!context.flags.has('list')) return await turnBackAll(turns, shadow, context)
    await printTurns(shadow, context)
    return 0
  })
}

/** Parses the number of turns to undo. Default: 1. Throws `usage`. */
export function readCount(text = '1'): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text)
  throw usageError(
    `pipe undo takes a number of turns, 1 to 9999, not ${JSON.stringify(text)}. To send the words as a prompt: pipe -- undo …`,
    'pipe undo --help',
  )
}

async function printTurns(shadow: Shadow, { host, flags, signal }: RunContext): Promise<void> {
  const turns = await listTurns(shadow, { session: flags.text('session'), signal })
  if (turns.length === 0) printWarning(host, 'no turn can be undone here')
  const list = flags.format === 'json' ? new JsonList(host.stdout, 'turns') : undefined
  for (const [i, turn] of turns.entries())
    if (list === undefined) host.stdout.write(printable(listLine(turn, countUndo(turns, i))))
    else list.add(encodeTurn(turn))
  list?.end()
}

async function turnBackAll(
  turns: number,
  shadow: Shadow,
  { host, flags, signal }: RunContext,
): Promise<number> {
  const options = {
    machine: host,
    redo: flags.has('redo'),
    force: flags.has('force'),
    session: flags.text('session'),
  }
  const list = flags.format === 'json' ? new JsonList(host.stdout, 'turns') : undefined
  let code = 0
  try {
    for (let i = 0; i < turns; i++) {
      const undone = await turnBack(shadow, { ...options, signal })
      if (list === undefined) host.stdout.write(printable(`${describeUndone(undone)}\n`))
      else list.add({ ...encodeTurn(undone), ...encodeFiles(undone) })
      if (isNothingBack(undone)) code = exitCodes.input
      // Report a finished turn even if the run is being stopped.
      throwIfAborted(signal)
    }
    return code
  } finally {
    list?.end()
  }
}

/** Returns the N with which `pipe undo N` reaches the turn at this index; `undefined` if it is undone. */
function countUndo(turns: readonly UndoableTurn[], at: number): number | undefined {
  return turns[at]?.side === 'undo' ? at + 1 - turns.filter(({ side }) => side === 'redo').length : undefined
}

function listLine({ label, at }: UndoableTurn, number: number | undefined): string {
  return `${String(number ?? 'undone').padStart(6)}  ${minuteOf(iso(at))}  ${label}\n`
}

function encodeTurn({ side, session, label, at }: UndoableTurn): object {
  return { type: side, session_id: session, label, at: iso(at) }
}

function encodeFiles({ changed, removed, broughtBack, ignoredFiles, unsaved }: UndoneTurn): object {
  const notSaved = unsaved.map(({ name, why }) => ({ path: name, reason: why }))
  return { changed, removed, brought_back: broughtBack, left_alone: ignoredFiles, not_saved: notSaved }
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
