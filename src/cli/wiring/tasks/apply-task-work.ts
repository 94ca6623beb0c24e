import { join } from 'node:path'
import type { ElfWork, ElvesOptions } from '../../../elves/elf-options.ts'
import { counted } from '../../../frontend/words/amount.ts'
import { checkpointed } from '../../../git/checkpoints/checkpointed.ts'
import type { Checkpoints } from '../../../history/checkpoint.ts'
import { textMessage } from '../../../history/new-message.ts'
import type { NewId } from '../../../id.ts'
import type { Interaction } from '../../../interaction.ts'
import type { ChangedFile, Worktrees } from '../../../machine/worktree.ts'
import { guard } from '../../../permission/guard.ts'
import { allowOnce, type Decision, type JudgedCall, type PermissionPolicy } from '../../../permission.ts'
import {
  errorResult,
  type Tool,
  type ToolExecutor,
  type ToolRun,
  textResult,
  withOutput,
} from '../../../tool.ts'

export interface ApplyingOptions {
  readonly policy: PermissionPolicy
  readonly checkpoints: Checkpoints
  readonly worktrees: () => Promise<Worktrees>
  /** Whether a turn of the conversation runs, whose checkpoint then covers the merge. */
  readonly isTurn: () => boolean
  /** The user's working folder. */
  readonly cwd: string
  readonly newId: NewId
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly onAsk: 'ask' | 'deny' | 'stop'
}

/**
 * Merges the work of elves into the user's files. The policy judges it as an edit of each file; a question shows the whole diff, and the
 * files are saved before, so that an undo covers them.
 */
export function createApplying(options: ApplyingOptions): ElvesOptions['apply'] {
  const { newId, onAsk } = options
  return async function* (work, context): ToolRun {
    const merging = inOwnTurn(createMerging(work, options), work, options)
    const policy = overFiles(work.diff.files, options)
    const run = guard(merging, { policy, newId, onAsk }).execute('apply', { elf: work.name }, context)
    return yield* withOutput(run, (output) =>
      output.type === 'interaction' ? { ...output, interaction: asking(output.interaction, work) } : output,
    )
  }
}

/** Saves the files before the merge. Between turns it counts as one of its own, which can be undone alone. */
function inOwnTurn(
  merging: ToolExecutor,
  { name }: ElfWork,
  { checkpoints, isTurn, newId, now }: ApplyingOptions,
): ToolExecutor {
  const saved = checkpointed(merging, checkpoints)
  return {
    ...saved,
    async *execute(tool, args, context) {
      if (isTurn()) return yield* saved.execute(tool, args, context)
      checkpoints.begin(textMessage(`apply the changes of ${name}`, { newId, clock: { now } }))
      try {
        return yield* saved.execute(tool, args, context)
      } finally {
        await checkpoints.end()
      }
    },
  }
}

function createMerging(
  { name, worktree, diff }: ElfWork,
  { worktrees, checkpoints, cwd }: ApplyingOptions,
): ToolExecutor {
  const tool: Tool = {
    name: 'apply',
    kind: 'edit',
    description: 'Merges the work of an elf into the files',
    parameters: { type: 'object' },
    capability: 'tool_edit_file',
    readOnly: () => false,
    keepsFiles: true,
    preview: async () => diff.text,
  }
  return {
    tools: () => [tool],
    // biome-ignore lint/correctness/useYield: a merge has no output of its own
    async *execute(_name, _args, { signal }) {
      for (const { path } of diff.files) await checkpoints.keep(join(cwd, path), { signal })
      const { conflicts, ref } = await (await worktrees()).apply(worktree.id, { signal })
      if (conflicts.length > 0)
        return errorResult(
          `The files have changed meanwhile in the same places, so nothing was applied. In conflict: ${conflicts.join(', ')}. ${ref} keeps the work of ${name}: git cherry-pick -n ${ref} merges it by hand.`,
        )
      return textResult('applied')
    },
  }
}

/** Judges the merge as an edit of each file: one that is denied denies all, one that is asked about asks about all. */
function overFiles(files: readonly ChangedFile[], { policy, cwd }: ApplyingOptions): PermissionPolicy {
  const editOf = (call: JudgedCall, path: string): JudgedCall => ({
    ...call,
    tool: { ...call.tool, paths: () => [{ path: join(cwd, path), access: 'write' }] },
  })
  return {
    ...policy,
    judge: async (call: JudgedCall): Promise<Decision> => {
      let worst: Decision | undefined
      for (const { path } of files) {
        const judged = await policy.judge(editOf(call, path))
        const { judgedPaths: _, ...decision } = judged
        if (decision.behavior === 'deny') return { ...decision, reason: `${path}: ${decision.reason}` }
        if (worst === undefined || decision.behavior === 'ask') worst = decision
      }
      return worst ?? { behavior: 'deny', source: 'builtin', reason: 'there is nothing to apply' }
    },
    suggestRules: async () => [],
    explain: async (call) => {
      const told = await Promise.all(files.map(({ path }) => policy.explain?.(editOf(call, path), [])))
      const dangers = told.flatMap((one) => one?.dangers ?? [])
      return { title: 'Use these changes?', dangers, covered: '', all: 'every edit', rules: [] }
    },
  }
}

/** Words the question about a merge. It covers this work alone. */
function asking(
  { withheld: _, ...interaction }: Interaction,
  { name, diff: { files } }: ElfWork,
): Interaction {
  return {
    ...interaction,
    display: {
      ...interaction.display,
      title: `Use ${name}'s changes to ${counted(files.length, 'file')}?`,
      description: files.map(({ path }) => path).join(', '),
    },
    options: [
      { id: allowOnce, label: 'Yes, use them', style: 'primary' },
      { id: 'deny', label: 'No, keep them apart', style: 'danger', isDefault: true },
    ],
  }
}
