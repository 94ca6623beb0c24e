import { throwIfAborted } from '../../error.ts'
import { listTurns, type UndoableTurn, type UndoneTurn } from '../../git/undo.ts'
import { present } from '../../present.ts'
import { createCommandRunner } from '../../process/command-runner.ts'
import { printable } from '../../terminal/printable.ts'
import { printableJson } from '../../terminal/printable-json.ts'
import { usageError } from '../flags.ts'
import { type Output, tell } from '../output.ts'
import { openShadow } from '../wiring/checkpoints.ts'
import { projectFolders } from '../wiring/project-folders.ts'
import { describeUndone, turnBack } from '../wiring/turn-back.ts'
import type { CommandContext } from './command.ts'
import { JsonList } from './json-list.ts'

/** Undoes the last turns of this folder, redoes them (`--redo`) or lists them (`--list`). Prints text or JSON. */
export async function runUndo(turns: number, { host, flags, signal }: CommandContext): Promise<void> {
  const commands = createCommandRunner({ clock: host.clock, projectFolders: projectFolders(host) })
  try {
    const shadow = await openShadow(host, commands)
    const wantsJson = flags.format === 'json'
    const session = flags.text('session')
    if (flags.has('list')) {
      const listed = await listTurns(shadow, { ...present({ session }), signal })
      if (listed.length === 0) tell(host, 'there is no turn here that can be undone')
      if (wantsJson) printJson(listed, host.stdout)
      else
        for (const [i, turn] of listed.entries())
          host.stdout.write(printable(listLine(turn, countUndo(listed, i))))
      return
    }
    const redo = flags.has('redo')
    for (let i = 0; i < turns; i++) {
      const undone = await turnBack(shadow, { host, redo, force: flags.has('force'), session, signal })
      const text = `${describeUndone(undone)}\n`
      const json = { ...encodeTurn(undone), ...encodeFiles(undone) }
      host.stdout.write(wantsJson ? `${printableJson(json)}\n` : printable(text))
      // What was done is told of, also where it was to be stopped.
      throwIfAborted(signal)
    }
  } finally {
    await commands.close()
  }
}

/** Parses the number of turns to undo. Default: 1. Throws `usage`. */
export function readCount(text = '1'): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text)
  throw usageError(
    `pipe undo takes how many turns, 1 to 9999, not ${JSON.stringify(text)}. To send the words as a prompt: pipe -- undo …`,
    'pipe undo --help',
  )
}

function printJson(turns: readonly UndoableTurn[], stdout: Output): void {
  const listed = new JsonList(stdout, 'turns')
  for (const turn of turns) listed.add(encodeTurn(turn))
  listed.end()
}

/** How many turns `pipe undo N` has to be told for the turn at this place; none for one that was undone. */
function countUndo(turns: readonly UndoableTurn[], at: number): number | undefined {
  return turns[at]?.side === 'undo' ? at + 1 - turns.filter(({ side }) => side === 'redo').length : undefined
}

function listLine({ label, at }: UndoableTurn, number: number | undefined): string {
  return `${String(number ?? 'undone').padStart(6)}  ${iso(at).slice(0, 16).replace('T', ' ')}  ${label}\n`
}

function encodeTurn({ side, session, label, at }: UndoableTurn): object {
  return { type: side, session_id: session, label, at: iso(at) }
}

function encodeFiles({ changed, removed, broughtBack, leftAlone }: UndoneTurn): object {
  return { changed, removed, brought_back: broughtBack, left_alone: leftAlone }
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
