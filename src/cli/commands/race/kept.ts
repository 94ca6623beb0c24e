import { minuteOf } from '../../../characters/shown-time.ts'
import { PipeError } from '../../../error.ts'
import type { GitWorktrees } from '../../../git/worktrees/worktrees.ts'
import type { CommandRunner } from '../../../machine/running-command.ts'
import { printWarning } from '../../../terminal/output.ts'
import { printable } from '../../../terminal/printable.ts'
import { printableJson } from '../../../terminal/printable-json.ts'
import type { RunContext } from '../../run-context.ts'
import { openWorktrees } from '../../wiring/tasks/task-worktrees.ts'
import { withCommands } from '../../wiring/with-commands.ts'
import { JsonList } from '../json-list.ts'
import { applyResult, describeApplied } from './apply-result.ts'
import { printDiff } from './offer.ts'

/** Lists the kept results of races in this project. */
export function listKept(context: RunContext): Promise<void> {
  return withKept(context, async (worktrees) => {
    const { host, flags, signal } = context
    const kept = await worktrees.list({ signal })
    if (flags.format === 'json') {
      const list = new JsonList(host.stdout, 'results')
      for (const { id, ref, savedAt } of kept) list.add({ id, ref, saved_at: iso(savedAt) })
      return list.end()
    }
    if (kept.length === 0) printWarning(host, 'no race results are kept here')
    for (const { id, savedAt } of kept) host.stdout.write(printable(`${minuteOf(iso(savedAt))}  ${id}\n`))
  })
}

/** Prints the diff of one kept result. Throws `not_found`, `input`. */
export function showKept(word: string, context: RunContext): Promise<void> {
  return withKept(context, async (worktrees) => {
    const { id } = await findOne(word, worktrees, context)
    printDiff({ diff: await worktrees.diff(id, context) }, context)
  })
}

/** Merges one kept result into the user's files. Throws `not_found`, `input`, `conflict`. */
export function applyKept(word: string, context: RunContext): Promise<void> {
  return withKept(context, async (worktrees, commands) => {
    const { host, flags } = context
    const { id } = await findOne(word, worktrees, context)
    const applied = await applyResult({ id, worktrees, commands }, context)
    if (flags.format === 'json') host.stdout.write(`${printableJson({ id, applied })}\n`)
    else printWarning(host, describeApplied(id, applied))
  })
}

/** Forgets all kept results that an id begins. Throws `not_found`, `input`. */
export function dropKept(word: string, context: RunContext): Promise<void> {
  return withKept(context, async (worktrees) => {
    const { host, flags } = context
    const found = await findAll(word, worktrees, context)
    for (const { id } of found) await worktrees.discard(id, context)
    const dropped = found.map(({ id }) => id)
    if (flags.format === 'json') host.stdout.write(`${printableJson({ dropped })}\n`)
    else printWarning(host, `dropped ${dropped.join(', ')}`)
  })
}

function withKept<Result>(
  { host }: RunContext,
  work: (worktrees: GitWorktrees, commands: CommandRunner) => Promise<Result>,
): Promise<Result> {
  return withCommands(host, async (commands) => work(await openWorktrees(host, 'race', commands), commands))
}

async function findOne(word: string, worktrees: GitWorktrees, context: RunContext) {
  const found = await findAll(word, worktrees, context)
  const exact = found.find(({ id }) => id === word)
  const [only, ...others] = exact === undefined ? found : [exact]
  if (only !== undefined && others.length === 0) return only
  throw new PipeError('input', `several ids begin with ${word}: ${found.map(({ id }) => id).join(', ')}`)
}

/** Characters that the beginning of an id needs. */
const least = 4

async function findAll(word: string, worktrees: GitWorktrees, { signal }: RunContext) {
  const kept = await worktrees.list({ signal })
  const found = word.length < least ? [] : kept.filter(({ id }) => id.startsWith(word))
  if (found.length > 0) return found
  const advice = 'pipe race list shows the kept results'
  throw new PipeError(
    'not_found',
    `no race result has an id that begins with ${JSON.stringify(word)}; ${advice}`,
  )
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
