import { hasCode, PipeError, throwIfAborted } from '../../error.ts'
import { openSpill } from '../../files/writing/spill.ts'
import type { JsonObject } from '../../json-value.ts'
import {
  type BackgroundProcess,
  type CommandExit,
  type LoggedOutput,
  type RunningCommand,
  unfinished,
} from '../../machine/running-command.ts'
import type { Sandbox } from '../../machine/sandbox.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import {
  errorResult,
  type ToolContext,
  type ToolOutput,
  type ToolResult,
  type ToolRun,
  textResult,
} from '../../tool.ts'
import { type CallDeadline, startCallDeadline } from '../call-deadline.ts'
import { defineRunner, withNote } from '../runner.ts'
import { limits } from '../tool-limits.ts'
import type { Workspace } from '../workspace.ts'
import { unattendedEnvironment } from './child-env.ts'
import { CommandLog } from './command-log.ts'
import { exitText } from './exit-text.ts'

export const bash = defineRunner({
  name: 'bash',
  takesPlain: true,
  schema: (schemas) => schemas.bash(),
  prepare: ({ commands }) => commands.prepare(),
  async *run({ command, timeout = limits.bashSeconds, background = false, on_timeout }, workspace, context) {
    if (command.includes('\0')) return errorResult('the command holds a NUL character')
    if (background && workspace.processes.isFull) {
      return errorResult(crowded(workspace))
    }
    const seconds = background ? limits.backgroundSeconds : Math.min(timeout, limits.bashMaxSeconds)
    const mayStay = background || (on_timeout !== 'kill' && workspace.onTimeout !== 'kill')
    try {
      const result = yield* runInBash({ command, seconds, background, mayStay }, workspace, context)
      return background || timeout === seconds ? result : withNote(result, cutTimeout(timeout))
    } catch (error) {
      if (!hasCode(error, 'tool')) throw error
      return errorResult(await notStarted(error, workspace, context.signal))
    }
  },
})

/** A larger value may have been meant as milliseconds. */
const cutTimeout = (seconds: number): string =>
  `timeout is in seconds, at most ${limits.bashMaxSeconds}: ${seconds} was reduced to ${limits.bashMaxSeconds}`

interface Plan {
  readonly command: string
  readonly seconds: number
  /** Whether it should go to the background after these seconds. */
  readonly background: boolean
  /** Whether it may continue in the background when its time is up. */
  readonly mayStay: boolean
}

async function* runInBash(plan: Plan, workspace: Workspace, { signal, confined }: ToolContext): ToolRun {
  const { command, seconds, background, mayStay } = plan
  const { clock, cwd, env, processes, spillDir } = workspace
  const sandbox = confined === true ? requireSandbox(workspace) : undefined
  const { commands } = sandbox ?? workspace
  // Without --norc, bash takes an open stdin for that of a remote login, because it is a socket, and runs ~/.bashrc.
  // The argument after the command is the name in bash's error messages.
  const args = ['--norc', '-c', command, 'bash']
  const program = { file: 'bash', args, cwd, env: unattendedEnvironment(env()) }
  const running = await commands.start(program, { stdin: background ? 'open' : 'empty' })
  const log = new CommandLog(() => openSpill(spillDir, 'bash'))
  const deadline = startCallDeadline(clock, seconds * 1_000, signal)
  let owned = true
  try {
    let exit = yield* follow(running, log, deadline)
    throwIfAborted(signal)
    const crowd = mayStay && processes.isFull ? crowded(workspace) : undefined
    if (exit === undefined && mayStay && crowd === undefined) {
      owned = false
      const kept = processes.adopt(running, { command, log })
      return stays(kept, log.take(), background ? undefined : { seconds, sandbox })
    }
    if (exit === undefined) {
      void running.end('timeout')
      exit = yield* pull(running, log, signal)
    }
    await log.close()
    return result(exit, log.take(), { seconds, sandbox, crowd })
  } finally {
    deadline.release()
    if (owned) {
      running.release()
      await log.close()
    }
  }
}

/** The exit of a command. `undefined` if the time is up first. */
async function* follow(running: RunningCommand, log: CommandLog, deadline: CallDeadline): Pull<undefined> {
  try {
    return yield* pull(running, log, deadline.signal)
  } catch (error) {
    if (deadline.passed && hasCode(error, 'aborted')) return undefined
    throw error
  }
}

type Pull<Else = never> = AsyncGenerator<ToolOutput, CommandExit | Else, unknown>

/** Logs the output, and yields it as it arrives. */
async function* pull(running: RunningCommand, log: CommandLog, signal: AbortSignal): Pull {
  const output = running.output(signal)
  try {
    for (;;) {
      const step = await output.next()
      if (step.done === true) return step.value
      const chunk = await log.push(step.value)
      if (chunk !== '') yield { type: 'output', stream: step.value.stream, chunk }
    }
  } finally {
    await output.return(unfinished)
  }
}

interface Circumstances {
  /** The timeout it had. */
  readonly seconds: number
  /** The sandbox it ran in. */
  readonly sandbox: Sandbox | undefined
  /** The reason why it could not continue in the background. Absent if it was not meant to. */
  readonly crowd?: string | undefined
}

function result(exit: CommandExit, output: LoggedOutput, circumstances: Circumstances): ToolResult {
  const { sandbox } = circumstances
  const details: JsonObject = {
    exit_code: exit.exitCode,
    ...omitUndefined({ signal: exit.signal ?? undefined }),
    duration_ms: Math.round(exit.durationMs),
    timed_out: exit.timedOut,
    bytes: output.bytes,
    ...omitUndefined({ lines: output.lines, spill: output.spill, sandbox: sandbox?.mode }),
  }
  if (exit.timedOut) return errorResult(withVerdict(output, tooLate(output, circumstances)), details)
  const failed = exit.exitCode !== 0
  const verdict = [
    failed ? exitText(exit) : [],
    // A line may succeed although a part of it failed in the sandbox.
    sandbox?.explain(output.text, failed ? 'failed' : 'done') ?? [],
    exit.isOutputHeld === true ? held : [],
  ].flat()
  const text = verdict.length === 0 ? output.text : withVerdict(output, verdict.join('; '))
  return failed ? errorResult(text, details) : textResult(text, details)
}

const held = 'something that it started still runs: start a server by itself, with background: true'

/** The refusal of one more background command. */
function crowded({ processes }: Workspace): string {
  const running = processes.list().filter(({ exit }) => exit === undefined).length
  return `${running} commands already run in the background, which is the limit: wait for one or end one (process wait, kill)`
}

function tooLate(output: LoggedOutput, { seconds, sandbox, crowd }: Circumstances): string {
  const ended = `timed out after ${seconds} s and was ended${crowd === undefined ? '' : `, as ${crowd}`}`
  const reason = obstacle(output, sandbox)
  const longer =
    crowd === undefined && reason !== noTerminal
      ? `set a longer timeout (at most ${limits.bashMaxSeconds})`
      : []
  return [ended, longer, reason ?? []].flat().join('; ')
}

/** A reason besides its work that may keep a command from ending. */
function obstacle({ text }: LoggedOutput, sandbox: Sandbox | undefined): string | undefined {
  return drawsScreen.test(text) ? noTerminal : sandbox?.explain(text, 'late')
}

/** Curses clears the screen of a dumb terminal with blanks. */
const drawsScreen = /^Vim: Warning: Output is not to a terminal$|^ {1000}/m
const noTerminal =
  'it needs a terminal, and there is none: edit files with edit, and run programs in a way that ends by itself'

/** The result of a command that continues; `late` if it exceeded its timeout. */
function stays({ id, pid }: BackgroundProcess, output: LoggedOutput, late?: Circumstances): ToolResult {
  const runs = `runs in the background as ${id}, pid ${pid}`
  const verdict =
    late === undefined
      ? [`${runs}; see process`]
      : [
          `not done after ${late.seconds} s: ${runs}, without stdin (background: true gives one); see process`,
          obstacle(output, late.sandbox) ?? [],
        ].flat()
  const { bytes, lines, spill } = output
  return textResult(withVerdict(output, verdict.join('; ')), {
    process: id,
    pid,
    bytes,
    ...omitUndefined({ lines, spill }),
  })
}

function withVerdict({ text }: LoggedOutput, verdict: string): string {
  return text === '' ? `[${verdict}]` : `${text}\n[${verdict}]`
}

/** Throws `sandbox` rather than run a confined command outside it. */
function requireSandbox({ sandbox }: Workspace): Sandbox {
  if (sandbox !== undefined) return sandbox
  throw new PipeError('sandbox', 'the command must run in a sandbox, but there is none')
}

/** Explains a failed start to the model. Throws one that is a fault of this machine. */
async function notStarted(error: PipeError, workspace: Workspace, signal: AbortSignal): Promise<string> {
  const { reason } = error.details
  if (reason === 'E2BIG') return 'the command is too long; write it to a file and run that'
  if (reason !== 'ENOENT') throw error
  try {
    await workspace.artifacts.listDir(workspace.cwd, { signal })
  } catch (missing) {
    if (!hasCode(missing, 'not_found')) throw missing
    return `the working directory no longer exists: ${workspace.cwd}`
  }
  return 'there is no bash on this machine, so no command can run until the user installs it'
}
