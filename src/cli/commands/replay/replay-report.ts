import type { SessionId } from '../../../id.ts'
import { compareTurns, type Difference, type Effort, effortOf } from '../../../replay/comparison.ts'
import type { RecordedTurn } from '../../../replay/recorded-turns.ts'
import type { Driven } from './drive.ts'
import type { FilesAtEnd } from './live-folder.ts'
import type { Recording } from './recorded-session.ts'
import type { ReplayTools } from './replay-toolset.ts'

/** How a replay compares with its record. */
export interface Report {
  /** The replayed session. */
  readonly source: SessionId
  /** The session that the replay was saved as. */
  readonly sessionId?: SessionId | undefined
  readonly recorded: ComparedSide
  readonly replayed: ComparedSide
  /** Calls of the replay that got a recorded result, and those that ran. */
  readonly calls: ReplayTools['counts']
  readonly first?: Difference | undefined
  /** The first difference that is not only in the words, unless it is `first`. */
  readonly firstAction?: Difference | undefined
  /** Absent if no call could run. */
  readonly files?: FilesAtEnd | undefined
  readonly notes: readonly string[]
}

/** One side of the comparison. */
export interface ComparedSide extends Effort {
  /** `provider/model` of its replies, in order. */
  readonly models: readonly string[]
  readonly turns: readonly RecordedTurn[]
}

export interface Reporting {
  readonly driven: Driven
  /** The turns as replayed. */
  readonly replayed: readonly RecordedTurn[]
  readonly tools: ReplayTools
  readonly sessionId: SessionId | undefined
}

/** Compares a replay with the turns of its record that it reached. */
export async function compare(
  { session, turns }: Recording,
  { driven, replayed, tools: { counts, live }, sessionId }: Reporting,
): Promise<Report> {
  const recorded = turns.slice(0, driven.turns)
  const { first, firstAction } = compareTurns(recorded, replayed)
  const files = await live?.atEnd()
  return {
    source: session.id,
    recorded: sideOf(recorded),
    replayed: sideOf(replayed),
    calls: counts,
    notes: live?.notes ?? [],
    sessionId,
    first,
    files,
    firstAction: firstAction === first ? undefined : firstAction,
  }
}

function sideOf(turns: readonly RecordedTurn[]): ComparedSide {
  const speakers = turns.flatMap(({ replies }) =>
    replies.map(({ provider = 'unknown', model = 'unknown' }) => `${provider}/${model}`),
  )
  return { ...effortOf(turns), models: [...new Set(speakers)], turns }
}
