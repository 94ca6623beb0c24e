import { isPipeError, isSurvivable, type PipeError } from '../../error.ts'
import type { Checkpoint, Checkpoints, SaveOptions } from '../../history/checkpoint.ts'
import { spokenText, type UserMessage } from '../../message.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { atOnce } from '../at-once.ts'
import { kept, type SaveLimits, turnLimits } from '../save-limits.ts'
import type { Shadow } from '../shadow.ts'
import { collectGarbage } from './collect-garbage.ts'
import {
  cannotUndo,
  ignoredNotes,
  leftOutNotes,
  phraseOf,
  reasonOf,
  uncoveredNotes,
  unsavedNotes,
} from './notes.ts'
import { closeTurn, type OpenTurn, openTreeless, openTurn, snapshotBefore } from './open-turn.ts'
import { drop, listEntries, refOf, type TurnEntry } from './stack.ts'
import { TurnWrites } from './turn-writes.ts'

export interface CheckpointsOptions {
  /** The id of the session that runs the turns. */
  readonly session: string
  /** Default: 20,000 files of at most 10 MB each, 2 s; 10 s for what `write` and `edit` change. */
  readonly limits?: SaveLimits
  /** Absolute folders in which commands may change files but nothing is saved. Default: none. */
  readonly uncovered?: readonly string[]
  /** Why the files of the project are not saved, only what `write` and `edit` change. Default: they are saved. */
  readonly treeless?: string
}

/** Keeps checkpoints as commits in a separate repository; see `docs/decisions/0015-checkpoints.md`. */
export function createCheckpoints(shadow: Shadow, options: CheckpointsOptions): Checkpoints {
  return new GitCheckpoints(shadow, options)
}

/** Checkpoints that save nothing. */
export function withoutCheckpoints(): Checkpoints {
  return {
    begin: () => undefined,
    save: async () => undefined,
    keep: async () => undefined,
    end: async () => undefined,
  }
}

class GitCheckpoints implements Checkpoints {
  readonly #shadow: Shadow
  readonly #session: string
  readonly #limits: SaveLimits
  readonly #uncovered: readonly string[]
  /** Notes that the user has seen. */
  readonly #said = new Set<string>()
  #turn: Pick<TurnEntry, 'label' | 'at' | 'message'> = { label: '', at: 0 }
  #saving: Promise<Checkpoint | undefined> | undefined
  #opened: OpenTurn | undefined
  #writes: TurnWrites | undefined
  /** Whether a call of the turn may have changed more than it gave to `keep`. */
  #ranCommands = false
  /** Why no tree is saved. Too many files or no git: that does not change while this process runs. */
  #treeless: string | undefined
  /** Whether a save took too long once. */
  #isLate = false
  /** Nested repositories that were too large once: looking again would take time in each turn. */
  readonly #tooLarge = new Set<string>()
  /** Whether turns of other sessions were dropped, which is done once. */
  #isTidied = false

  constructor(
    shadow: Shadow,
    { session, limits = turnLimits, uncovered = [], treeless }: CheckpointsOptions,
  ) {
    this.#shadow = shadow
    this.#session = session
    this.#limits = limits
    this.#uncovered = uncovered
    this.#treeless = treeless
  }

  /** The limits of what `write` and `edit` change. */
  get #writtenLimits(): SaveLimits {
    return { ...this.#limits, ms: this.#limits.writtenMs }
  }

  begin(message: UserMessage): void {
    this.#turn = { label: labelOf(message), at: this.#shadow.clock.now(), message: message.id }
    this.#saving = undefined
    this.#opened = undefined
    this.#writes = undefined
    this.#ranCommands = false
  }

  async save({ signal, keepsFiles = false }: SaveOptions): Promise<Checkpoint | undefined> {
    const isFirst = this.#saving === undefined
    this.#saving ??= this.#open(signal)
    const saved = await this.#saving
    const opened = keepsFiles || this.#ranCommands ? undefined : this.#opened
    if (opened === undefined) return isFirst ? saved : undefined
    this.#ranCommands = true
    const unsaved = this.#report({
      notes: [...unsavedNotes(opened.unsaved), ...uncoveredNotes(this.#uncovered)],
      ...omitUndefined({ unsaved: phraseOf(opened.unsaved) }),
    })
    return isFirst ? joined(saved, unsaved) : unsaved
  }

  async keep(path: string, { signal }: { readonly signal: AbortSignal }): Promise<void> {
    await this.#saving
    const writes = this.#writes
    if (writes === undefined || writes.has(path)) return
    const failure = await this.#attempt(this.#writtenLimits, signal, (shadow) => writes.keep(shadow, path))
    if (isPipeError(failure)) writes.miss(path)
  }

  async end(): Promise<Checkpoint | undefined> {
    const opened = this.#opened
    const writes = this.#writes
    this.#opened = undefined
    this.#writes = undefined
    if (opened === undefined || writes === undefined) return undefined
    const ranCommands = this.#ranCommands
    const limits = opened.isTreeless ? this.#writtenLimits : this.#limits
    const { signal } = new AbortController()
    const closed = await this.#attempt(limits, signal, (shadow) =>
      closeTurn(shadow, opened, { limits, turn: this.#turn, writes, ranCommands }),
    )
    if (isPipeError(closed)) return this.#failed(closed, limits)
    const { id, ignoredFiles } = closed
    // The turn is saved by now. What is not tidied remains for the next one.
    if (id !== undefined) await this.#attempt(this.#limits, signal, (shadow) => this.#tidy(shadow))
    const unsaved = phraseOf(ignoredFiles.map((name) => ({ name, why: '' })))
    return this.#report({ ...omitUndefined({ id, unsaved }), notes: ignoredNotes(ignoredFiles) })
  }

  async #open(signal: AbortSignal): Promise<Checkpoint | undefined> {
    const opened = await this.#openTurn(signal)
    if (isPipeError(opened)) return this.#failed(opened, this.#writtenLimits)
    this.#opened = opened
    for (const { name } of opened.unsaved) this.#tooLarge.add(name)
    this.#writes = new TurnWrites(opened)
    return this.#report({
      ...omitUndefined({ id: opened.isTreeless ? undefined : opened.commit }),
      notes: leftOutNotes(opened.leftOut),
    })
  }

  /** Saves the files; if that fails, only what `write` and `edit` will change. Returns the failure if not even that can be saved. */
  async #openTurn(signal: AbortSignal): Promise<OpenTurn | PipeError> {
    if (this.#treeless !== undefined) return this.#openTreeless(this.#treeless, signal)
    const whole = await this.#openWhole(signal)
    return isPipeError(whole) ? this.#openTreeless(this.#giveUp(whole, this.#limits), signal) : whole
  }

  #openWhole(signal: AbortSignal): Promise<OpenTurn | PipeError> {
    const [limits, turn] = [this.#limits, this.#turn]
    return this.#attempt(limits, signal, async (shadow) => {
      const [place, snapshot] = await atOnce(shadow, (side) => [
        this.#nextPlace(side),
        snapshotBefore(side, limits, this.#tooLarge),
      ])
      return openTurn(shadow, place, { snapshot, limits, turn })
    })
  }

  #openTreeless(why: string, signal: AbortSignal): Promise<OpenTurn | PipeError> {
    const turn = this.#turn
    return this.#attempt(this.#writtenLimits, signal, async (shadow) =>
      openTreeless(shadow, await this.#nextPlace(shadow), { turn, why }),
    )
  }

  /**
   * Saves no more trees if this failure will come again. A save that was too late goes on where it stopped, so it gets a second try.
   * Returns the reason.
   */
  #giveUp(failure: PipeError, limits: SaveLimits): string {
    const { reason } = failure.details
    const isFinal = reason === 'missing' || reason === 'too_many' || (reason === 'timeout' && this.#isLate)
    this.#isLate ||= reason === 'timeout'
    const why = reasonOf(failure, limits)
    if (isFinal) this.#treeless = why
    return why
  }

  /** Reports that nothing of the turn can be undone. */
  #failed(failure: PipeError, limits: SaveLimits): Checkpoint | undefined {
    return this.#report({ notes: [cannotUndo(this.#giveUp(failure, limits))], unsaved: 'this turn' })
  }

  /** Runs the work within the limits and under the lock. Returns every failure except an abort. */
  async #attempt<T>(
    { ms }: SaveLimits,
    signal: AbortSignal,
    work: (shadow: Shadow) => Promise<T>,
  ): Promise<T | PipeError> {
    const shadow = this.#shadow.within(ms, signal)
    try {
      return await shadow.exclusively(() => work(shadow))
    } catch (error) {
      if (!isSurvivable(error)) throw error
      return error
    }
  }

  /** Without the notes that were said before; `undefined` if nothing is left. */
  #report({ notes, ...saved }: Checkpoint): Checkpoint | undefined {
    const news = this.#news(notes)
    if (saved.id === undefined && saved.unsaved === undefined && news.length === 0) return undefined
    return { ...saved, notes: news }
  }

  #news(notes: readonly string[]): readonly string[] {
    const news = notes.filter((note) => !this.#said.has(note))
    for (const note of news) this.#said.add(note)
    return news
  }

  async #nextPlace(shadow: Shadow): Promise<Pick<TurnEntry, 'ref' | 'session' | 'number'>> {
    const entries = await listEntries(shadow, undefined)
    const number = entries.reduce((most, entry) => Math.max(most, entry.number), 0) + 1
    return { ref: refOf({ session: this.#session, side: 'undo', number }), session: this.#session, number }
  }

  /** Drops undone turns (a new turn makes them impossible to redo) and old ones. */
  async #tidy(shadow: Shadow): Promise<void> {
    // Listed anew: another process may have undone or redone turns since this one began.
    const entries = await listEntries(shadow, this.#isTidied ? this.#session : undefined)
    const own = entries.filter(({ session }) => session === this.#session)
    const stale = new Set<TurnEntry>([
      ...own.filter(({ side }) => side === 'redo'),
      ...own.filter(({ side }) => side === 'undo').slice(0, -kept.turns),
      ...entries.filter(({ madeAt }) => madeAt < shadow.clock.now() - kept.ms),
    ])
    await drop(shadow, [...stale].slice(0, mostDropped))
    if (this.#isTidied) return
    this.#isTidied = true
    await collectGarbage(shadow)
  }
}

/** Drops at most this many at a time, so that the end of a turn does not wait. */
const mostDropped = 20

/** Two reports as one; `undefined` if there is none. */
function joined(one: Checkpoint | undefined, more: Checkpoint | undefined): Checkpoint | undefined {
  if (one === undefined || more === undefined) return one ?? more
  return { ...one, ...more, notes: [...one.notes, ...more.notes] }
}

/** The start of the user's text, in one line. */
function labelOf(message: UserMessage): string {
  const said = spokenText(message)
  const line = said.slice(0, 400).replace(/[\s\p{Cc}]+/gu, ' ')
  return line.trim().slice(0, 72) || 'a turn'
}
