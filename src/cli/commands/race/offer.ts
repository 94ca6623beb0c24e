import { throwIfAborted } from '../../../error.ts'
import { counted } from '../../../frontend/words/amount.ts'
import type { GitWorktrees } from '../../../git/worktrees/worktrees.ts'
import { putQuestion } from '../../../line/line-question.ts'
import type { CommandRunner } from '../../../machine/running-command.ts'
import { printWarning } from '../../../terminal/output.ts'
import { printable } from '../../../terminal/printable.ts'
import { printableJson } from '../../../terminal/printable-json.ts'
import { askOnTerminal, hasControllingTerminal } from '../../controlling-terminal.ts'
import type { RunContext } from '../../run-context.ts'
import { applyResult, describeApplied } from './apply-result.ts'
import { encodeRace, isKept, raceTable } from './race-report.ts'
import { chooseWinner, noWinner, type RaceFinish } from './verdict.ts'

export interface EndedRace {
  readonly id: string
  readonly finishes: readonly RaceFinish[]
  readonly worktrees: GitWorktrees
  readonly commands: CommandRunner
}

/**
 * Prints how the models did, and offers the winner's changes: applies them with `--apply` or after a yes at the terminal, else prints their
 * diff. Throws the error of a race that nobody won, and `conflict`.
 */
export async function offer(ended: EndedRace, context: RunContext): Promise<number> {
  const { id, finishes, worktrees, commands } = ended
  const { host, flags, signal } = context
  const isJson = flags.format === 'json'
  const winner = chooseWinner(finishes)
  if (!isJson) report(ended, winner, context)
  const isAsked = !isJson && !flags.has('apply') && host.stdout.isTerminal && hasControllingTerminal()
  const isWanted = flags.has('apply') || (isAsked && winner !== undefined && (await ask(winner, context)))
  throwIfAborted(signal)
  let applied: readonly string[] | undefined
  try {
    if (winner !== undefined && isWanted)
      applied = await applyResult({ id: winner.id, worktrees, commands }, context)
  } finally {
    // Also if the changes do not fit.
    if (isJson) host.stdout.write(`${printableJson(encodeRace({ id, finishes, winner, applied }))}\n`)
  }
  if (winner === undefined) throw noWinner(finishes)
  if (applied !== undefined && !isJson) printWarning(host, describeApplied(winner.id, applied))
  if (!isJson && !isAsked && applied === undefined) printDiff(winner, context)
  return 0
}

/** Prints the table, why models failed, and what to do with the work that is kept. */
function report(
  { id, finishes }: EndedRace,
  winner: RaceFinish | undefined,
  { host, flags }: RunContext,
): void {
  host.stderr.write(printable(`${raceTable(finishes, winner)}\n`))
  for (const { model, error } of finishes) {
    if (error === undefined) continue
    printWarning(host, `${model}: ${error.message}`)
    const { output = '' } = error.details
    if (winner === undefined && output !== '') host.stderr.write(printable(lastLines(output)))
  }
  if (!flags.has('quiet') && finishes.some(isKept))
    printWarning(host, `kept: pipe race show, apply or drop an id; pipe race drop ${id} drops all of them`)
}

const mostLines = 10

function lastLines(text: string): string {
  return `${text.trimEnd().split('\n').slice(-mostLines).join('\n').replace(/^/gm, '    ')}\n`
}

async function ask({ model, diff }: RaceFinish, { host, signal }: RunContext): Promise<boolean> {
  const question = {
    id: host.newId.interaction(),
    kind: 'confirm',
    purpose: 'confirm_risky_action',
    display: {
      title: `Apply the changes of ${model} to ${counted(diff.files.length, 'file')}?`,
      content: diff.text,
      contentKind: 'diff',
    },
    options: [
      { id: 'apply', label: 'Yes, apply them', style: 'primary' },
      { id: 'deny', label: 'No, keep them apart', style: 'danger', isDefault: true },
    ],
  } as const
  return (await putQuestion(question, askOnTerminal, signal)).selectedOptionId === 'apply'
}

/** Prints the diff as it is, unless that could act on a terminal. */
export function printDiff(
  { diff }: Pick<RaceFinish, 'diff'>,
  { host: { stdout } }: Pick<RunContext, 'host'>,
): void {
  stdout.write(stdout.isTerminal ? printable(diff.text) : diff.text)
}
