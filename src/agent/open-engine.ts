import type { Engine } from '../engine.ts'
import type { Message } from '../message.ts'
import type { LastTurn } from '../session.ts'
import type { BranchOptions, EngineOptions } from './engine-options.ts'
import { LoopEngine } from './loop-engine.ts'

/** One engine with its session record and audit log. Owns the engine. */
export interface OpenEngine {
  readonly engine: Engine
  /**
   * Goes on from the end of another branch of its session, and carries over a summary of the messages in `left`. Throws `conflict` while a
   * turn runs, and what `summariseBranch` throws; the conversation then stays where it was.
   */
  goTo(branch: readonly Message[], options: BranchOptions): Promise<void>
  /** The title of the session: the user's first words, or what somebody named it. `undefined` before the first message. */
  readonly title: string | undefined
  /** Gives the session this title, which no model replaces. Throws the session's errors. */
  rename(title: string): Promise<void>
  /** Saves how a turn ended. Throws the session's errors. */
  saveEnd(lastTurn: LastTurn): Promise<void>
  /** Closes the audit log and the session's. End a running turn first. */
  close(): Promise<void>
}

export function openEngine(options: EngineOptions): OpenEngine {
  const { log, audit } = options
  const engine = new LoopEngine(options)
  const close = async () => {
    engine.close()
    try {
      await audit?.close()
    } finally {
      await log.close()
    }
  }
  return {
    engine,
    get title() {
      return engine.title
    },
    goTo: (branch, going) => engine.goTo(branch, going),
    rename: (title) => engine.rename(title),
    saveEnd: (lastTurn) => engine.saveEnd(lastTurn),
    close,
  }
}
