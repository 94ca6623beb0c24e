import { oneLine } from '../../../characters/one-line.ts'
import type { LayeredSettings } from '../../../config/layers.ts'
import { isProject } from '../../../config/trust/folder-trust.ts'
import { hasCode, PipeError } from '../../../error.ts'
import type { WorkBundles } from '../../../event-store.ts'
import { followed } from '../../../files/real-path.ts'
import { signalExitCodes } from '../../../frontend/ending-signal.ts'
import type { TaskId } from '../../../id.ts'
import { judgeTurn } from '../../../line/outcome.ts'
import type { CommandRunner } from '../../../machine/running-command.ts'
import type { PortableWorktrees } from '../../../machine/worktree.ts'
import { isOver, type TaskView } from '../../../task.ts'
import { defaultSchedulerPolicy } from '../../../tasks/scheduler-policy.ts'
import { createTaskFolders, fetchWork } from '../../../tasks/task-folder.ts'
import { carryOutTasks, type WorkingOptions } from '../../../tasks/worker.ts'
import { printWarning } from '../../../terminal/output.ts'
import { readLimits, readOwnSettings } from '../../choices.ts'
import { type Flags, usageError } from '../../flags.ts'
import { enterFolder } from '../../host.ts'
import { openTaskConversations } from '../../run/tasks/task-conversation.ts'
import type { RunContext } from '../../run-context.ts'
import { openSettings } from '../../wiring/read-settings.ts'
import { type TaskStores, withTaskStores } from '../../wiring/tasks/open-tasks.ts'
import { readBoard } from '../../wiring/tasks/read-board.ts'
import { keepingOutput } from '../../wiring/tasks/task-outputs.ts'
import { isWorkHere } from '../../wiring/tasks/task-place.ts'
import { openWorktrees } from '../../wiring/tasks/task-worktrees.ts'
import type { ForeignParts } from '../../wiring/wire-context.ts'
import { withCommands } from '../../wiring/with-commands.ts'
import { openAcceptance } from './acceptance.ts'
import { createSetup } from './setup.ts'
import { reportTo } from './worker-report.ts'

/**
 * Takes tasks of this repository and carries them out, until a signal ends it, or with `--once` until nothing is left to take. Returns the
 * exit code. Throws `usage`, `config`, `untrusted`, `budget`, and what the store of tasks throws.
 */
export async function work(context: RunContext): Promise<number> {
  const { flags, interruption } = context
  refuseTaskLimits(flags)
  const repo = flags.text('repo')
  const host = repo === undefined ? context.host : { ...context.host, cwd: enterFolder(repo, '--repo') }
  const own = readOwnSettings(flags)
  const loaded = await openSettings(host, own)
  requireTrust(loaded)
  interruption.again(() => process.exit(signalExitCodes[interruption.cause ?? 'SIGTERM']))
  await withCommands(host, (commands) => carryOut({ ...context, host }, loaded, commands))
  return interruption.cause === undefined ? 0 : signalExitCodes[interruption.cause]
}

/** Throws `usage` for a limit that only a task has. */
function refuseTaskLimits(flags: Flags): void {
  const limit = (['max-turns', 'max-tokens', 'max-time'] as const).find((name) => flags.has(name))
  if (limit === undefined) return
  throw usageError(
    `pipe worker does not take --${limit}: set it per task with pipe task add --${limit}; --max-cost limits the whole worker`,
    'pipe worker --help',
  )
}

/** Throws `untrusted` for a project that the user has not said to trust. */
function requireTrust({ trust: { root, trusted } }: LayeredSettings): void {
  if (trusted === true || (trusted === undefined && !isProject(root))) return
  throw new PipeError(
    'untrusted',
    `pipe worker cannot take the tasks of ${root}, because you have not trusted it; to trust it: pipe trust, or --trust for this run`,
  )
}

function overId(task: TaskView): readonly TaskId[] {
  return isOver(task) ? [task.taskId] : []
}

async function carryOut(
  context: RunContext,
  loaded: LayeredSettings,
  commands: CommandRunner,
): Promise<void> {
  const { host, flags, signal } = context
  const own = readOwnSettings(flags)
  const worktrees = await openWorktrees(host, 'tasks', commands)
  await withTaskStores(host, async (stores) => {
    const { events, claims, bundles, outputs } = stores
    await events.ensureSchema({ signal })
    const over = new Set<string>((await readBoard(events, signal)).all().flatMap(overId))
    await worktrees.sweep({ signal, isOver: (id) => over.has(id) })
    const fetch = fetcher(worktrees, bundles)
    const isShared = bundles !== undefined
    const isHere: WorkingOptions['isHere'] = (task, asked) =>
      isWorkHere(task, { machine: host, commands, isShared, ...asked })
    const acceptance = await openAcceptance(context, loaded, { commands, fetch, isHere, isShared })
    if (!flags.has('quiet') && host.stderr.isTerminal)
      printWarning(host, `taking tasks of ${host.cwd}; Ctrl+C stops it`)
    await carryOutTasks(
      {
        ...acceptance,
        store: events,
        claims,
        policy: defaultSchedulerPolicy,
        clock: host.clock,
        newId: host.newId,
        pid: host.pid,
        host: host.hostname,
        folder: followed(host.cwd),
        isHere,
        slots: flags.count('jobs') ?? 1,
        once: flags.has('once'),
        maxCostUsd: readLimits(flags).maxCostUsd,
        judge: (turn) => judgeTurn(turn, undefined),
        folders: keepingOutput(
          createTaskFolders({
            worktrees,
            bundles,
            prepare: createSetup(host, loaded.settings, commands),
          }),
          { machine: host, outputs },
        ),
        open: openTaskConversations({
          machine: host,
          own,
          mode: loaded.settings.permissions?.mode ?? 'default',
          partsOf: (attempt) => partsOf(stores, attempt),
          model: flags.text('model'),
        }),
        warn: ({ title }, line) => {
          if (!flags.has('quiet')) printWarning(host, `${oneLine(title, 60)}: ${line}`)
        },
        onOffline: ({ message }) => printWarning(host, `${message}: waiting until it can continue`),
        onAppend: reportTo(context),
      },
      signal,
    )
  })
}

/** Fetches the files that tasks of other machines begin with, where the store keeps them. */
function fetcher(worktrees: PortableWorktrees, bundles: WorkBundles | undefined) {
  return async (taskId: TaskId, signal: AbortSignal): Promise<boolean> => {
    if (bundles === undefined) return false
    try {
      await fetchWork(taskId, { worktrees, bundles }, signal)
      return true
    } catch (error) {
      // The history before it is missing here.
      if (!hasCode(error, 'not_found')) throw error
      return false
    }
  }
}

/** Returns where sessions and audit logs are kept if several machines share them. */
async function partsOf(
  { sessions, openAudit }: TaskStores,
  attempt: number,
): Promise<Pick<ForeignParts, 'store' | 'openAudit'>> {
  if (openAudit === undefined) return {}
  return {
    store: await sessions({ attempt }),
    openAudit: (log, options) => openAudit(log, { ...options, attempt }),
  }
}
