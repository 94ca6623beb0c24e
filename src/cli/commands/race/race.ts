import { startDeadline } from '../../../agent/limits/deadline.ts'
import { linkAbort } from '../../../agent/linked-abort.ts'
import { isPipeError, throwIfAborted } from '../../../error.ts'
import { createCommandRunner } from '../../../process/command-runner.ts'
import { printWarning } from '../../../terminal/output.ts'
import { readOwnSettings } from '../../choices.ts'
import { checkInput } from '../../run/message/first-message.ts'
import type { RunContext } from '../../run-context.ts'
import { Closing } from '../../wiring/closing.ts'
import { projectFolders } from '../../wiring/project-folders.ts'
import { readAllSettings } from '../../wiring/read-settings.ts'
import { openWorktrees } from '../../wiring/tasks/task-worktrees.ts'
import { atMost } from './at-most.ts'
import { offer } from './offer.ts'
import { runCheck } from './race-check.ts'
import { readModels } from './race-models.ts'
import { RaceQuestions } from './race-questions.ts'
import { isKept } from './race-report.ts'
import { openRacers, type Racer, type Starting } from './racers.ts'
import { type Racing, runRacer } from './run-racer.ts'
import type { RaceFinish } from './verdict.ts'

/** Models at work at once. */
const mostAtOnce = 4

/**
 * Gives the task to several models, each in a worktree of its own, and offers the best result. Returns the exit code. Throws the error of
 * a race that nobody won.
 */
export async function race(prompt: string, context: RunContext): Promise<number> {
  const { host, flags, signal } = context
  const models = readModels(flags)
  checkInput({ flags, prompt })
  const closing = new Closing()
  const commands = createCommandRunner({ clock: host.clock, projectFolders: projectFolders(host) })
  closing.add(() => commands.close())
  try {
    const worktrees = await openWorktrees(host, 'race', commands)
    const id = host.newId.message().slice(0, 8)
    const kept = new Set<string>()
    const mayKeep = (work: string) => kept.has(work)
    const starting = { ...context, race: id, models, prompt, worktrees, closing, mayKeep }
    const finishes = await run(starting, { kept, check: await checkOf(context, commands) })
    return await offer({ id, finishes, worktrees, commands }, context)
  } finally {
    await closing.close()
    if (signal.aborted && !flags.has('quiet'))
      printWarning(host, 'the race was interrupted; pipe race list shows what is kept')
  }
}

interface Running {
  /** Collects the ids of work to keep. */
  readonly kept: Set<string>
  readonly check: Racing['check'] | undefined
}

/** Runs all models within the time of the race. If one fails for a reason of ours, stops the others. */
async function run(starting: Starting, { kept, check }: Running): Promise<readonly RaceFinish[]> {
  const { host, flags, signal } = starting
  const { clock, startedMs } = host
  const sinceStartMs = clock.monotonic() - startedMs
  const deadline = startDeadline(clock, flags.duration('max-time'), signal, sinceStartMs)
  const { controller, unlink } = linkAbort(deadline.signal)
  const isNoted = (host.stderr.isTerminal && !flags.has('quiet')) || flags.has('verbose')
  const racing: Racing = {
    context: starting,
    limit: controller.signal,
    questions: new RaceQuestions(),
    ...(check === undefined ? {} : { check }),
    note: (line) => {
      if (isNoted) printWarning(host, line)
    },
  }
  try {
    const racers = await openRacers({ ...starting, signal: controller.signal })
    racing.note(`running: ${racers.map(({ model }) => model).join(', ')}`)
    const finishes = await atMost(mostAtOnce, racers, async (racer) => {
      throwIfAborted(signal)
      try {
        const finish = await runRacer(racer, racing)
        if (isKept(finish)) kept.add(finish.id)
        return finish
      } catch (error) {
        controller.abort(error)
        throw error
      }
    })
    throwIfAborted(signal)
    return finishes
  } catch (error) {
    throw (isPipeError(error) ? deadline.error : undefined) ?? error
  } finally {
    unlink()
    deadline.end()
  }
}

/** The check of `--check`, which runs as the models' commands do. */
async function checkOf(
  { host, flags }: RunContext,
  commands: ReturnType<typeof createCommandRunner>,
): Promise<Racing['check'] | undefined> {
  const line = flags.text('check')
  if (line === undefined) return undefined
  const { settings } = await readAllSettings(host, readOwnSettings(flags))
  return ({ worktree, wired }: Racer, signal) => {
    const machine = { ...host, cwd: worktree.cwd }
    return runCheck({ line, machine, settings, mode: wired.policy.mode, commands, signal })
  }
}
