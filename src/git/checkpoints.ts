import { resolve } from 'node:path'
import type { Checkpoint, Checkpoints } from '../checkpoint.ts'
import { isPipeError } from '../error.ts'
import type { UserMessage } from '../message.ts'
import { atOnce } from './at-once.ts'
import { haveSameFolders } from './folders.ts'
import { findLeftAlone } from './left-alone.ts'
import { kept, type Limits, turnLimits } from './limits.ts'
import type { Modes } from './modes.ts'
import { cannotUndo, leftAloneNotes, leftOutNotes, reasonOf, uncoveredNotes } from './notes.ts'
import type { Shadow } from './shadow.ts'
import { takeSnapshot } from './snapshot.ts'
import { drop, type Entry, keep, listEntries, refOf } from './stack.ts'
import { labelOf } from './turn-files.ts'

export interface CheckpointsOptions {
  /** The id of the session that runs the turns. */
  readonly session: string
  /** Default: 20,000 files of at most 10 MB each, 2 s. */
  readonly limits?: Limits
  /** Absolute folders in which calls may change files but nothing is saved. Default: none. */
  readonly uncovered?: readonly string[]
}

/** Keeps checkpoints as commits in a separate repository; see `docs/decisions/0015-checkpoints.md`. */
export function createCheckpoints(shadow: Shadow, options: CheckpointsOptions): Checkpoints {
  return new GitCheckpoints(shadow, options)
}

/** Checkpoints that save nothing. If there is a reason the user does not know, the first `save` returns it as a note. */
export function noCheckpoints(reason?: string): Checkpoints {
  let notes = reason === undefined ? [] : [cannotUndo(reason)]
  return {
    begin: () => undefined,
    save: async () => {
      const said = notes
      notes = []
      return said.length === 0 ? undefined : { notes: said }
    },
    wrote: () => undefined,
    end: async () => undefined,
  }
}

/** The state saved before the running turn. */
interface Opened {
  readonly ref: string
  readonly commit: string
  readonly tree: string
  readonly modes: Modes
  readonly untouched: readonly string[]
}

class GitCheckpoints implements Checkpoints {
  readonly #shadow: Shadow
  readonly #session: string
  readonly #limits: Limits
  readonly #uncovered: readonly string[]
  readonly #said = new Set<string>()
  readonly #written = new Set<string>()
  #label = ''
  #at = 0
  #saving: Promise<Checkpoint | undefined> | undefined
  #opened: Opened | undefined
  /** Too many files or no git: that does not change while this process runs. */
  #isHopeless = false
  #isTidied = false

  constructor(shadow: Shadow, { session, limits = turnLimits, uncovered = [] }: CheckpointsOptions) {
    this.#shadow = shadow
    this.#session = session
    this.#limits = limits
    this.#uncovered = uncovered
  }

  begin(message: UserMessage): void {
    this.#label = labelOf(message)
    this.#at = this.#shadow.clock.now()
    this.#saving = undefined
    this.#opened = undefined
    this.#written.clear()
  }

  async save({ signal }: { readonly signal: AbortSignal }): Promise<Checkpoint | undefined> {
    if (this.#saving !== undefined) {
      await this.#saving
      return undefined
    }
    this.#saving = this.#attempt(signal, (shadow) => this.#open(shadow))
    return this.#saving
  }

  wrote(path: string): void {
    this.#written.add(resolve(this.#shadow.cwd, path))
  }

  async end(): Promise<Checkpoint | undefined> {
    const opened = this.#opened
    this.#opened = undefined
    if (opened === undefined) return undefined
    return this.#attempt(new AbortController().signal, (shadow) => this.#close(shadow, opened))
  }

  /** Runs the work within the limits and under the lock. Turns every failure except an abort into a note. */
  async #attempt(
    signal: AbortSignal,
    work: (shadow: Shadow) => Promise<Checkpoint>,
  ): Promise<Checkpoint | undefined> {
    if (this.#isHopeless) return undefined
    const shadow = this.#shadow.within(this.#limits.ms, signal)
    let done: Checkpoint
    try {
      done = await shadow.exclusively(() => work(shadow))
    } catch (error) {
      if (!isPipeError(error) || error.code === 'aborted') throw error
      this.#isHopeless = hopeless.includes(error.details['reason'] ?? '')
      done = { notes: [cannotUndo(reasonOf(error, this.#limits))] }
    }
    const notes = done.notes.filter((note) => !this.#said.has(note))
    for (const note of notes) this.#said.add(note)
    return done.id === undefined && notes.length === 0 ? undefined : { ...done, notes }
  }

  async #open(shadow: Shadow): Promise<Checkpoint> {
    const [{ tree, modes, leftOut, untouched }, entries] = await atOnce(shadow, (side) => [
      takeSnapshot(side, { limits: this.#limits }),
      listEntries(side, undefined),
    ])
    shadow.writeUntouched(untouched)
    const last = entries.reduce((most, { number }) => Math.max(most, number), 0)
    const ref = refOf({ session: this.#session, side: 'undo', number: last + 1 })
    const commit = await keep(shadow, { tree, modes, label: this.#label, at: this.#at, ref })
    this.#opened = { ref, commit, tree, modes, untouched }
    return { id: commit, notes: [...leftOutNotes(leftOut), ...uncoveredNotes(this.#uncovered)] }
  }

  async #close(shadow: Shadow, { ref, commit, untouched, ...before }: Opened): Promise<Checkpoint> {
    const now = await takeSnapshot(shadow, { limits: this.#limits, untouched })
    const leftAlone = await findLeftAlone(shadow, this.#written)
    const notes = [...leftOutNotes(now.leftOut), ...leftAloneNotes(leftAlone)]
    const isSame = now.tree === before.tree && haveSameFolders(before.modes, now.modes)
    if (isSame && leftAlone.length === 0) {
      await shadow.git(['update-ref', '-d', ref])
      return { notes }
    }
    const { modes } = now
    const parts = { tree: now.tree, modes, leftAlone, parent: commit, label: this.#label, at: this.#at, ref }
    const id = await keep(shadow, parts)
    await this.#tidy(shadow)
    return { id, notes }
  }

  /** Drops undone turns (a new turn makes them impossible to redo) and old ones. */
  async #tidy(shadow: Shadow): Promise<void> {
    const wanted = this.#isTidied ? this.#session : undefined
    const entries = await listEntries(shadow, wanted)
    const own = entries.filter(({ session }) => session === this.#session)
    const stale = new Set<Entry>([
      ...own.filter(({ side }) => side === 'redo'),
      ...own.filter(({ side }) => side === 'undo').slice(0, -kept.turns),
      ...entries.filter(({ madeAt }) => madeAt < shadow.clock.now() - kept.ms),
    ])
    await drop(shadow, [...stale].slice(0, mostDropped))
    if (this.#isTidied) return
    this.#isTidied = true
    // Returns at once: if there is something to collect, git continues in the background.
    await shadow.git(['gc', '--auto', '--quiet'], {
      settings: ['gc.auto=6700', 'gc.autoPackLimit=50', 'gc.pruneExpire=1.day'],
    })
  }
}

/** Drops at most this many at a time, so that the end of a turn does not wait. */
const mostDropped = 20

const hopeless: readonly string[] = ['missing', 'too_many', 'timeout']
