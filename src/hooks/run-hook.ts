import { resolve } from 'node:path'
import type { Clock } from '../clock.ts'
import { isPipeError, isSurvivable, PipeError, unreachable } from '../error.ts'
import type { JsonObject } from '../json-value.ts'
import { optionsByName, optionsFromVariables } from '../machine/plugin-options.ts'
import type { CommandLine, CommandRunner } from '../machine/running-command.ts'
import type { Transport } from '../machine/transport.ts'
import { type AskPorts, askAbout } from './ask-about.ts'
import type { ExportedVariables } from './exported-variables.ts'
import type { Hook, HookHandler } from './hook.ts'
import { KeptOutput, mostOfAnswer, mostOfComplaint } from './kept-output.ts'
import { postEvent } from './post-event.ts'

/** Tells how a hook ended. */
export interface HookRun {
  /** That of its program; 0 for an answer of a server or a model. `null` if a signal ended it. */
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
  /** Whether `stdout` is the beginning only. Default: it is whole. */
  readonly isCut?: boolean
  readonly timedOut: boolean
  readonly durationMs: number
  /** Why it could not be started, or gave no answer. */
  readonly fault?: string
  /** The script with variables that it wrote, at events that take some. */
  readonly exports?: string
}

/** An empty file for the variables that one hook sets. */
export interface VariableFile {
  /** The variables that name it. */
  readonly env: Readonly<Record<string, string>>
  read(): string
  remove(): void
}

/** Takes the variables that hooks set for later commands. */
export interface HookExports {
  /** Creates a file for a hook. Throws `PipeError`. */
  file(): VariableFile
  /** The variables of commands now. */
  readonly env: Readonly<Record<string, string>>
  /** Sets the variables that the hook of this name exports. Returns what to tell the user. */
  set(exported: ExportedVariables, by: string): readonly string[]
}

/** Calls a function of a program with an event. Throws `tool` if it refuses, and `aborted`. */
export type CallBack = (
  id: string,
  input: JsonObject,
  options: { readonly signal: AbortSignal },
) => Promise<JsonObject>

/** Holds the parts that hooks run on. */
export interface HookPorts extends AskPorts {
  readonly commands: CommandRunner
  readonly transport: Pick<Transport, 'send'>
  /** Default: hooks of this kind fail. */
  readonly callBack?: CallBack | undefined
  readonly clock: Clock
  readonly cwd: string
  /** The variables of their programs. */
  readonly env: Readonly<Record<string, string>>
  /** Default: hooks set no variables. */
  readonly exports?: HookExports | undefined
  /** The variables that headers may name, if their hook lists them. */
  readonly variables: Readonly<Record<string, string | undefined>>
}

/** Runs a hook with the event. A timeout or an abort ends all that it started. Throws `aborted`. */
export async function runHook(
  hook: Hook,
  input: JsonObject,
  { signal, ...ports }: HookPorts & { readonly signal: AbortSignal },
): Promise<HookRun> {
  const { handler, timeoutMs, env } = hook
  switch (handler.type) {
    case 'command':
      return runExporting(hook, ports, (more) =>
        runCommand({ ...handler, timeoutMs, env: { ...env, ...more } }, input, { ...ports, signal }),
      )
    case 'http':
      return inTime(
        (until) => postEvent(handler, input, { ...ports, options: env, signal: until }),
        hook,
        ports,
        signal,
      )
    case 'prompt':
    case 'agent':
      return inTime(
        async (until) => ({ text: await askAbout(handler, input, { ...ports, signal: until }) }),
        hook,
        ports,
        signal,
      )
    case 'callback':
      return inTime(
        async (until) => ({ text: await callBack(handler.id, input, { ...ports, signal: until }) }),
        hook,
        ports,
        signal,
      )
    default:
      return unreachable(handler)
  }
}

/** Events at which hooks may set variables for later commands. */
const exporting: readonly Hook['event'][] = ['SessionStart', 'FileChanged']

/** Runs a program with a file for the variables that it sets. A program that fails sets none. */
async function runExporting(
  { event }: Hook,
  { exports }: Pick<HookPorts, 'exports'>,
  run: (env: Readonly<Record<string, string>>) => Promise<HookRun>,
): Promise<HookRun> {
  if (exports === undefined || !exporting.includes(event)) return run({})
  const file = exports.file()
  try {
    const ended = await run(file.env)
    return ended.exitCode === 0 ? { ...ended, exports: file.read() } : ended
  } finally {
    file.remove()
  }
}

/** Calls a function of the program that drives the run. Throws as `CallBack`, and `tool` without such a program. */
async function callBack(
  id: string,
  input: JsonObject,
  { callBack: call, signal }: Pick<HookPorts, 'callBack'> & { readonly signal: AbortSignal },
): Promise<string> {
  if (call === undefined) throw new PipeError('tool', 'no program drives this run')
  return JSON.stringify(await call(id, input, { signal }))
}

/** Waits for an answer until the time of the hook is over. */
async function inTime(
  answer: (signal: AbortSignal) => Promise<{ readonly text: string; readonly isCut?: boolean }>,
  { timeoutMs }: Hook,
  { clock }: HookPorts,
  signal: AbortSignal,
): Promise<HookRun> {
  const started = clock.monotonic()
  const late = new AbortController()
  const cancel = clock.after(timeoutMs, () => late.abort())
  const ended = (more: Partial<HookRun>): HookRun => ({
    exitCode: null,
    stdout: '',
    stderr: '',
    timedOut: false,
    durationMs: clock.monotonic() - started,
    ...more,
  })
  try {
    const { text, isCut = false } = await answer(AbortSignal.any([signal, late.signal]))
    return ended({ exitCode: 0, stdout: text, isCut })
  } catch (error) {
    if (!isPipeError(error) || signal.aborted) throw error
    return ended(late.signal.aborted ? { timedOut: true } : { fault: error.message })
  } finally {
    cancel()
  }
}

/** A program to run, and its time. */
type TimedCommand = Extract<HookHandler, { readonly type: 'command' }> & {
  readonly timeoutMs: number
  readonly env: Hook['env']
}

/** Runs a program with the event on its stdin. */
async function runCommand(
  hook: TimedCommand,
  input: JsonObject,
  { commands, cwd, env: usual, signal }: HookPorts & { readonly signal: AbortSignal },
): Promise<HookRun> {
  const env = { ...usual, ...hook.env }
  const command: CommandLine = {
    ...programOf(hook, { cwd, env }),
    cwd,
    env,
    timeoutMs: hook.timeoutMs,
    input: `${JSON.stringify(input)}\n`,
  }
  const texts = { stdout: new KeptOutput(mostOfAnswer), stderr: new KeptOutput(mostOfComplaint) }
  const output = commands.run(command, { signal })
  try {
    for (;;) {
      const step = await output.next()
      if (step.done !== true) {
        texts[step.value.stream].add(step.value.chunk)
        continue
      }
      const { exitCode, timedOut, durationMs } = step.value
      const { text: stdout, isCut } = texts.stdout
      return { exitCode, timedOut, durationMs, stdout, isCut, stderr: texts.stderr.text }
    }
  } catch (error) {
    if (!isSurvivable(error)) throw error
    return { exitCode: null, stdout: '', stderr: '', timedOut: false, durationMs: 0, fault: faultOf(error) }
  }
}

/** Without a shell, nothing else names the project's folder, and a path with a slash is one of the working folder. */
function programOf(
  { command, args, shell }: TimedCommand,
  { cwd, env }: Pick<HookPorts, 'cwd' | 'env'>,
): Pick<CommandLine, 'file' | 'args'> {
  if (args === undefined) return { file: shell ?? '/bin/sh', args: ['-c', optionsByName(command)] }
  const filled = (text: string) =>
    optionsFromVariables(
      text.replace(/\$\{(\w+_PROJECT_DIR)\}/g, (whole, name: string) => env[name] ?? whole),
      env,
    )
  const file = filled(command)
  return { file: file.includes('/') ? resolve(cwd, file) : file, args: args.map(filled) }
}

function faultOf({ message, details }: PipeError): string {
  return details['reason'] === 'ENOENT' ? 'there is no such program' : message
}
