import { PipeError } from '../../../error.ts'
import type { JsonObject } from '../../../json-value.ts'
import { printableJson } from '../../../terminal/printable-json.ts'
import { visible } from '../../../terminal/visible.ts'
import type { RunContext } from '../../run-context.ts'
import { type Drift, driftOf, manifestOf } from '../../wiring/session/manifest.ts'
import type { Recording } from './recorded-session.ts'

/** Describes a run of today, with a user to ask and without one. */
export interface Today {
  readonly attended: JsonObject
  readonly unattended: JsonObject
}

/** Throws `check` if something has changed since the recorded runs, and `input` if their manifest is unknown. */
export function requireNoDrift(
  { session, turns }: Pick<Recording, 'session' | 'turns'>,
  today: Today,
  { host, flags }: RunContext,
): void {
  const [first, ...later] = turns.map(({ message }) => manifestOf(message)).filter((one) => one !== undefined)
  if (first === undefined)
    throw new PipeError(
      'input',
      `session ${session.id} has no manifest of its runs, so --locked cannot compare them`,
    )
  const drift = uniqueDrift([
    ...driftOf(first, likeRun(first, today)),
    ...later.flatMap((one) => laterDrift(one, likeRun(one, today))),
  ])
  if (drift.length === 0) return
  if (flags.format === 'json') host.stdout.write(`${printableJson({ replay_of: session.id, drift })}\n`)
  const lines = drift.map(({ name, recorded = 'none', today: now = 'none' }) =>
    visible(`  ${name}: ${short(recorded)} then, ${short(now)} now`),
  )
  throw new PipeError(
    'check',
    [`what session ${session.id} was recorded with has changed:`, ...lines].join('\n'),
  )
}

/** Returns how a run of today would be where the recorded one was: a terminal offers more tools, but changes none. */
function likeRun(run: JsonObject, { attended, unattended }: Today): JsonObject {
  return run['asks'] === true ? attended : unattended
}

/** Leaves out what may differ between the runs of one session: replayed, each run has its own model and starts where the last ended. */
function laterDrift(run: JsonObject, today: JsonObject): readonly Drift[] {
  return driftOf(run, today).filter(({ name }) => name !== 'git_head' && name !== 'model')
}

function uniqueDrift(drift: readonly Drift[]): readonly Drift[] {
  return drift.filter((one, i) => drift.findIndex(({ name }) => name === one.name) === i)
}

/** Shortens hashes. */
function short(value: string): string {
  return /^[0-9a-f]{40,}$/.test(value) ? value.slice(0, 12) : value
}
