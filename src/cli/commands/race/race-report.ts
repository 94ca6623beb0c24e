import { counted, formatUsd } from '../../../frontend/words/amount.ts'
import { formatDuration } from '../../../frontend/words/duration.ts'
import { tableText } from '../../../frontend/words/text-table.ts'
import type { JsonObject } from '../../../json-value.ts'
import type { WorktreeDiff } from '../../../machine/worktree.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import type { RaceFinish } from './verdict.ts'

/** Formats a race as a table; a star marks the winner. */
export function raceTable(finishes: readonly RaceFinish[], winner: RaceFinish | undefined): string {
  const head = ['', 'model', 'result', 'changes', 'cost', 'time', 'kept as']
  const rows = finishes.map((finish) => [
    finish === winner ? '*' : ' ',
    finish.model,
    finish.result.replace('_', ' '),
    changes(finish.diff),
    finish.costUsd === undefined ? '-' : formatUsd(finish.costUsd),
    formatDuration(finish.durationMs),
    isKept(finish) ? finish.id : '-',
  ])
  return tableText([head, ...rows])
}

/** Whether there is work to keep. */
export function isKept({ diff }: Pick<RaceFinish, 'diff'>): boolean {
  return diff.files.length > 0
}

function changes({ files }: WorktreeDiff): string {
  const sum = (key: 'added' | 'removed') => files.reduce((total, file) => total + (file[key] ?? 0), 0)
  return files.length === 0 ? '-' : `${counted(files.length, 'file')} +${sum('added')} -${sum('removed')}`
}

interface RaceReport {
  readonly id: string
  readonly finishes: readonly RaceFinish[]
  readonly winner: RaceFinish | undefined
  /** Paths, if the winner's work was applied. */
  readonly applied: readonly string[] | undefined
}

/** Formats a race as JSON. */
export function encodeRace({ id, finishes, winner, applied }: RaceReport): JsonObject {
  return {
    id,
    ...omitUndefined({ winner: winner?.id, applied }),
    racers: finishes.map(encodeFinish),
    ...omitUndefined({ diff: winner?.diff.text }),
  }
}

function encodeFinish(finish: RaceFinish): JsonObject {
  const { id, model, result, diff, durationMs, costUsd, sessionId, error } = finish
  return {
    id,
    model,
    result,
    files: diff.files.map(({ path, added, removed }) => ({ path, ...omitUndefined({ added, removed }) })),
    duration_ms: durationMs,
    ...omitUndefined({
      cost_usd: costUsd,
      session_id: sessionId,
      ref: isKept(finish) ? finish.ref : undefined,
      error: error && {
        code: error.code,
        message: error.message,
        ...omitUndefined({ output: error.details['output'] }),
      },
    }),
  }
}
