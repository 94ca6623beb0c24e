import { throwIfAborted } from '../../error.ts'
import { listTurns, type UndoableTurn, type UndoneTurn } from '../../git/undo.ts'
import { present } from '../../present.ts'
import { createCommandRunner } from '../../process/command-runner.ts'
import { printable } from '../../terminal/printable.ts'
import { printableJson } from '../../terminal/printable-json.ts'
import { tell } from '../output.ts'
import { openShadow } from '../wiring/checkpoints.ts'
import { describeUndone, turnBack } from '../wiring/turn-back.ts'
import type { CommandContext } from './run-command.ts'

/** Undoes so many turns of this folder, the last first, brings them back (`--redo`) or lists them (`--list`): text, or one JSON object a turn. */
export async function runUndo(turns: number, { host, flags, signal }: CommandContext): Promise<void> {
  const commands = createCommandRunner({ clock: host.clock })
  try {
    const shadow = await openShadow(host, commands)
    const print = (line: object, text: string) =>
      host.stdout.write(flags.format === 'json' ? `${printableJson(line)}\n` : printable(text))
    const session = flags.text('session')
    if (flags.has('list')) {
      const listed = await listTurns(shadow, { ...present({ session }), signal })
      if (listed.length === 0) tell(host, 'there is no turn here that can be undone')
      for (const [i, turn] of listed.entries()) print(encodeTurn(turn), listLine(turn, countUndo(listed, i)))
      return
    }
    const redo = flags.has('redo')
    for (let i = 0; i < turns; i++) {
      const undone = await turnBack(shadow, { host, redo, force: flags.has('force'), session, signal })
      print({ ...encodeTurn(undone), ...encodeFiles(undone) }, `${describeUndone(undone)}\n`)
      // What was done is told of, also where it was to be stopped.
      throwIfAborted(signal)
    }
  } finally {
    await commands.close()
  }
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
