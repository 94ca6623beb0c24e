import type { CommandExit } from '../command.ts'
import { isPipeError, type PipeError } from '../error.ts'
import { openSpill } from '../files/spill.ts'
import type { JsonObject } from '../json-value.ts'
import { present } from '../present.ts'
import { errorResult, type ToolContext, type ToolRun, textResult } from '../tool.ts'
import description from './bash.md'
import { CommandLog, type LoggedOutput } from './command-log.ts'
import { defineTool } from './definition.ts'
import { limits } from './limits.ts'
import type { Workspace } from './workspace.ts'

export const bash = defineTool({
  name: 'bash',
  description,
  capability: 'tool_run_command',
  readOnly: false,
  schema: (schemas) => schemas.bash,
  async *run({ command, timeout = limits.bashSeconds }, workspace, context) {
    if (command.includes('\0')) return errorResult('the command holds a NUL character')
    const seconds = Math.min(timeout, limits.bashMaxSeconds)
    try {
      return yield* runCommand(command, seconds, workspace, context)
    } catch (error) {
      if (!isPipeError(error) || error.code !== 'tool') throw error
      return errorResult(await notStarted(error, workspace, context.signal))
    }
  },
})

/** Nothing may wait for a person, open an editor or page its output. */
const quiet = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: 'true',
  GIT_PAGER: 'cat',
  PAGER: 'cat',
  TERM: 'dumb',
  NO_COLOR: '1',
  AI_AGENT: 'pipe',
}

async function* runCommand(
  command: string,
  seconds: number,
  workspace: Workspace,
  { signal }: ToolContext,
): ToolRun {
  const line = {
    file: 'bash',
    args: ['-c', command],
    cwd: workspace.cwd,
    env: { ...workspace.env, ...quiet },
    timeoutMs: seconds * 1_000,
  }
  const running = workspace.commands.run(line, { signal })
  const log = new CommandLog(() => openSpill(workspace.spillDir, 'bash'))
  try {
    for (;;) {
      const step = await running.next()
      if (step.done === true) return result(step.value, log.finish(), seconds)
      const chunk = await log.push(step.value)
      if (chunk !== '') yield { type: 'output', stream: step.value.stream, chunk }
    }
  } finally {
    await running.return(unfinished)
    await log.close()
  }
}

const unfinished: CommandExit = { exitCode: null, signal: null, timedOut: false, durationMs: 0 }

function result(exit: CommandExit, output: LoggedOutput, seconds: number) {
  const verdict = verdictOf(exit, seconds)
  const details: JsonObject = {
    exit_code: exit.exitCode,
    ...present({ signal: exit.signal ?? undefined }),
    duration_ms: Math.round(exit.durationMs),
    timed_out: exit.timedOut,
    bytes: output.bytes,
    ...present({ spill: output.spill }),
  }
  if (verdict === undefined) return textResult(output.text, details)
  return errorResult(output.text === '' ? verdict : `${output.text}\n${verdict}`, details)
}

function verdictOf(exit: CommandExit, seconds: number): string | undefined {
  if (exit.timedOut) return `[timed out after ${seconds} s and was ended; set a longer timeout (at most 600)]`
  if (exit.signal !== null) return `[ended by ${exit.signal}]`
  return exit.exitCode === 0 ? undefined : `[exit code ${exit.exitCode}]`
}

/** Why, for the model, where it can do something about it; a machine without bash is the user's matter. */
async function notStarted(error: PipeError, workspace: Workspace, signal: AbortSignal): Promise<string> {
  const { reason } = error.details
  if (reason === 'E2BIG') return 'the command is too long; write it to a file and run that'
  if (reason !== 'ENOENT') throw error
  try {
    await workspace.artifacts.listDir(workspace.cwd, { signal })
  } catch (missing) {
    if (!isPipeError(missing) || missing.code !== 'not_found') throw missing
    return `the working directory no longer exists: ${workspace.cwd}`
  }
  throw error
}
