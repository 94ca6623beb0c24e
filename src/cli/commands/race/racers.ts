import { Budget } from '../../../agent/limits/budget.ts'
import { withoutCheckpoints } from '../../../git/checkpoints/checkpoints.ts'
import type { GitWorktrees } from '../../../git/worktrees/worktrees.ts'
import type { Worktree } from '../../../machine/worktree.ts'
import type { UserMessage } from '../../../message.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { onlyOnce } from '../../../records/only-once.ts'
import { printWarning } from '../../../terminal/output.ts'
import { readChoices } from '../../choices.ts'
import { composeFirst, readSources, type Sources } from '../../run/message/first-message.ts'
import type { RunContext } from '../../run-context.ts'
import type { Closing } from '../../wiring/closing.ts'
import type { Choices } from '../../wiring/run-choices.ts'
import type { Wired } from '../../wiring/wired.ts'
import { wire } from '../../wiring/wiring.ts'
import { nameResults } from './race-models.ts'

/** A model with the task and a folder of its own. */
export interface Racer {
  /** As the user wrote it. */
  readonly model: string
  readonly worktree: Worktree
  readonly wired: Wired
  readonly message: UserMessage
}

export interface Starting extends RunContext {
  /** The id of the race. */
  readonly race: string
  readonly models: readonly string[]
  readonly prompt: string
  readonly worktrees: GitWorktrees
  /** Collects the close steps. */
  readonly closing: Closing
  /** Whether the work of this id is kept, once the race is over. */
  readonly mayKeep: (id: string) => boolean
}

/**
 * Opens a conversation for each model before any of them costs anything. All begin with the same files. Throws what opening a conversation
 * throws, and `tool` if the folder cannot be copied.
 */
export async function openRacers(starting: Starting): Promise<readonly Racer[]> {
  const { models, race, worktrees, closing, mayKeep, signal, host, prompt } = starting
  const ids = nameResults(race, models)
  const choose = choicesOf(starting)
  const racers: Racer[] = []
  const warn = onlyOnce((line) => printWarning(host, line))
  let sources: Sources | undefined
  for (const [i, model] of models.entries()) {
    const base = racers[0]?.worktree.base
    const worktree = await worktrees.create(ids[i] ?? race, { signal, base })
    closing.add(() =>
      mayKeep(worktree.id) ? worktree.remove() : worktrees.discard(worktree.id, unhurried()),
    )
    const wired = await wire({
      machine: { ...host, warn },
      choices: { ...choose(model), worktree: worktree.cwd, actor: `agent_race_${i + 1}` },
      parts: { checkpoints: withoutCheckpoints() },
      signal,
    })
    closing.add(() => wired.close())
    // Edits in a folder of its own need no question: the user sees them as one diff.
    if (wired.policy.mode === 'default') wired.policy.mode = 'accept-edits'
    for (const line of wired.warnings) warn(line)
    sources ??= await readSources({ ...starting, prompt }, wired)
    const at = { ...host, cwd: worktree.cwd }
    racers.push({ model, worktree, wired, message: composeFirst({ host: at, prompt }, sources, wired) })
  }
  return racers
}

/** Lets an interrupted race save its work and clean up. */
export function unhurried(): { readonly signal: AbortSignal } {
  return { signal: new AbortController().signal }
}

/** The choices of each model. All spend from one budget. */
function choicesOf({ flags }: RunContext): (model: string) => Choices {
  const { limits } = readChoices(flags, false)
  const { maxTokens, maxCostUsd, maxRounds } = limits
  const budget = new Budget(omitUndefined({ maxTokens, maxCostUsd }))
  return (model) => ({
    ...readChoices(flags.with('model', model), false),
    session: { type: 'new' },
    limits: omitUndefined({ maxRounds }),
    budget,
  })
}
