import { PipeError } from '../../../error.ts'
import type { UndoableTurn, UndoneTurn } from '../../../git/checkpoints/undo.ts'
import type { SessionId } from '../../../id.ts'
import type { CommandRunner } from '../../../machine/running-command.ts'
import type { WorktreeDiff } from '../../../machine/worktree.ts'
import type { Message } from '../../../message.ts'
import type { Machine } from '../../machine.ts'
import { leaveNote, openShadow, takeNote } from './open-checkpoints.ts'
import type { TurnBack } from './turn-back.ts'

/** The turns of one conversation that changed files. Loads git's part of the program on first use. */
export class FileTurns {
  readonly #session: SessionId | undefined
  readonly #machine: Machine
  readonly #commands: CommandRunner
  readonly #messages: () => readonly Message[]
  /** The messages from the beginning of each undone turn on, by the first of them. */
  readonly #undone = new Map<string, readonly Message[]>()

  /** Without a session no turn can be undone. `messages`: those of the conversation so far. */
  constructor(
    session: SessionId | undefined,
    machine: Machine,
    commands: CommandRunner,
    messages: () => readonly Message[],
  ) {
    this.#session = session
    this.#machine = machine
    this.#commands = commands
    this.#messages = messages
  }

  /** Lists the turns that can be undone, newest first; none where no files are saved. */
  async list(signal: AbortSignal): Promise<readonly UndoableTurn[]> {
    const session = this.#session
    if (session === undefined) return []
    const { listTurns } = await import('../../../git/checkpoints/undo.ts')
    const turns = await listTurns(await openShadow(this.#machine, this.#commands), { session, signal })
    return turns.filter(({ side }) => side === 'undo')
  }

  /**
   * Undoes or redoes the last turn that changed files; returns a report. Throws `input`, `conflict`, and `aborted`
   * before any file is changed.
   */
  async turnBack(options: Pick<TurnBack, 'redo' | 'force' | 'tellsModel' | 'signal'>): Promise<string> {
    const session = this.#session
    if (session === undefined) throw new PipeError('input', 'without a session there is nothing to undo')
    const machine = this.#machine
    const { describeUndone, isNothingBack, turnBack } = await import('./turn-back.ts')
    const shadow = await openShadow(machine, this.#commands)
    const undone = await turnBack(shadow, { ...options, machine, session })
    if (!isNothingBack(undone)) this.#note(undone)
    return describeUndone(undone)
  }

  /** The messages of the turns that were undone here, and not redone. */
  get undone(): ReadonlySet<Message> {
    return new Set([...this.#undone.values()].flat())
  }

  /** All after a turn that is undone belongs to it, or changed no files: the last one is undone first. */
  #note({ side, message: begun }: UndoneTurn): void {
    if (begun === undefined) return
    const messages = this.#messages()
    const at = messages.findIndex(({ id }) => id === begun)
    if (side === 'undo' && at >= 0) this.#undone.set(begun, messages.slice(at))
    else this.#undone.delete(begun)
  }

  /** Returns the diff of the last turns that changed files, or of all of them; `undefined` if it is not known here. */
  async diff(options: {
    readonly turns: number | 'all'
    readonly signal: AbortSignal
  }): Promise<WorktreeDiff | undefined> {
    const session = this.#session
    if (session === undefined) return undefined
    const { diffTurns } = await import('../../../git/checkpoints/turn-diff.ts')
    return diffTurns(await openShadow(this.#machine, this.#commands), { ...options, session })
  }

  /** Leaves a note for the model, sent with the next message. */
  leaveNote(text: string): void {
    if (this.#session !== undefined) leaveNote(this.#machine, this.#session, text)
  }

  /** Returns the notes for the model's next message, once. */
  takeNote(): string | undefined {
    return this.#session === undefined ? undefined : takeNote(this.#machine, this.#session)
  }
}
