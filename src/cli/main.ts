import { exitCodes, isPipeError, type PipeError, unreachable } from '../error.ts'
import { isInForeground } from '../files/lock/process-start.ts'
import { signalExitCodes } from '../frontend/ending-signal.ts'
import type { Outcome } from '../line/outcome.ts'
import { openReporter } from '../line/output-formats.ts'
import { type Reporter, withEvents } from '../line/reporter.ts'
import { BrokenPipe, type Output, printWarning } from '../terminal/output.ts'
import { type Invocation, parseArguments } from './args.ts'
import { requireEach } from './choices.ts'
import { type Flags, usageError } from './flags.ts'
import {
  addedFolder,
  enterFolder,
  type Host,
  type HostProcess,
  isFile,
  isFolder,
  type Launch,
  openHost,
} from './host.ts'
import type { ReportedConversation } from './run/controlled/peer-reporter.ts'
import { isPeerProtocol } from './run/controlled/protocol.ts'
import { drawnAnswer } from './run/drawn-answer.ts'
import { oneShot } from './run/run-one-shot.ts'
import type { RunContext } from './run-context.ts'
import { isLineTerminal } from './screen-reader.ts'
import { sessionNames } from './session-argument.ts'
import { type Interruption, watchSignals } from './signals.ts'
import { explainDescriptors } from './standard-descriptors.ts'
import { closedOutput, closeGoneTerminals, isTerminal } from './standard-output.ts'
import { versionLine } from './version.ts'
import { lookOf } from './wiring/tools/known-tools.ts'

/** Runs the command line and sets the process's exit code. Returns whether a conversation went well, as most runs are. */
export async function main(launch: Launch = {}): Promise<boolean> {
  process.once('exit', closeGoneTerminals)
  const opened = await openHost(launch)
  const { stdout, hasWritten } = watchOutput(opened.stdout)
  const host = { ...opened, stdout }
  const interruption = watchSignals(host)
  // An uncaught error from a package also ends the run, but with our one-line message.
  const onUncaught = (error: unknown) => process.exit(report(error, host, interruption))
  process.on('uncaughtException', onUncaught)
  let isUsual = false
  // Node ends a process that waits for nothing more: a run that got lost must not look like a success.
  process.exitCode = exitCodes.internal
  try {
    const invocation = await parseArguments(host.argv, {
      sessions: () => sessionNames(host),
      hasTitle: async (title) => (await import('./given/known-title.ts')).hasTitle(title, host),
      isFolder,
      isFile,
    })
    process.exitCode = await dispatch(invocation, { host, interruption })
    isUsual = invocation.type === 'run' && process.exitCode === 0
  } catch (thrown) {
    const { explainClosedPath } = await import('./wiring/closed-path.ts')
    const error = explainClosedPath(thrown, host)
    const isRefused = !hasWritten() && interruption.cause === undefined
    const failure = isRefused ? await withResult(error, host) : error
    process.exitCode = report(failure, host, interruption)
  } finally {
    process.off('uncaughtException', onUncaught)
    interruption.close()
  }
  await endInBackground(interruption)
  return isUsual
}

/** Notes whether anything was written. A closed stdout counts as written: no result reaches anyone there. */
function watchOutput(output: Output): { readonly stdout: Output; readonly hasWritten: () => boolean } {
  if (output === closedOutput) return { stdout: output, hasWritten: () => true }
  let hasWritten = false
  const write = (text: string) => {
    hasWritten = true
    output.write(text)
  }
  return { stdout: { ...output, write }, hasWritten: () => hasWritten }
}

/** Writes the result of a run that an error ended before it began. Returns the error, or the one that met the result. */
async function withResult(error: unknown, host: HostProcess): Promise<unknown> {
  if (!isPipeError(error)) return error
  try {
    await (await import('./run/refused-run.ts')).writeRefusal(error, host)
    return error
  } catch (lost) {
    return lost
  }
}

/**
 * Ends a run that a signal ended in the background, by this signal. Node 24 sets a terminal back before it exits, which would stop the
 * process there for good.
 */
async function endInBackground({ cause }: Interruption): Promise<void> {
  if (cause === undefined || !(await isTerminal(0)) || isInForeground()) return
  // Packages listen too, which would keep the process alive.
  process.removeAllListeners(cause)
  process.kill(process.pid, cause)
}

interface Process {
  readonly host: HostProcess
  readonly interruption: Interruption
}

async function dispatch(invocation: Invocation, { host, interruption }: Process): Promise<number> {
  const { signal } = interruption
  switch (invocation.type) {
    case 'help': {
      const { commands } = await import('./commands/command-table.ts')
      host.stdout.write((await import('./help.ts')).helpOn(invocation.topic, commands))
      return 0
    }
    case 'version':
      host.stdout.write(versionLine(host.isOneFile === true))
      return 0
    case 'run': {
      const { prompt, flags, withoutData } = invocation
      const context = { host: inFolder(host, flags), flags, interruption, signal }
      if (withoutData !== undefined) await requireData(withoutData, context)
      if (flags.has('bg')) return (await import('./run/in-background.ts')).inBackground(prompt, context)
      if (!flags.has('worktree')) return run(prompt, context)
      return (await import('./run/in-worktree.ts')).inWorktree(context, (placed) => run(prompt, placed))
    }
    case 'command': {
      const { action, words, flags } = invocation
      const placed = action.anywhere === true ? { ...host, cwd: '/', added: [] } : inFolder(host, flags)
      return action.run({ host: placed, flags, interruption, signal }, words)
    }
    default:
      return unreachable(invocation)
  }
}

/** Throws the error unless stdin brings data. */
async function requireData(error: PipeError, context: RunContext): Promise<void> {
  const { bringsData } = await import('./run/message/first-message.ts')
  if (!(await bringsData(context))) throw error
}

/** Adds the working folder to the host: the one that `-C` names, or the one pipe was started in. */
function inFolder(host: HostProcess, flags: Flags): Host {
  return { ...host, cwd: enterFolder(flags.text('cd')), added: flags.all('add-dir').map(addedFolder) }
}

/** Runs a prompt, or a conversation if there is none and stdin and stdout are terminals. Returns the exit code. */
async function run(prompt: string | undefined, context: RunContext): Promise<number> {
  const { host, flags, interruption } = context
  if (!flags.has('each')) requireEach(flags)
  if (flags.text('permission-prompt-tool') === 'stdio' && !flags.isDriven)
    throw usageError('--permission-prompt-tool stdio needs --input-format stream-json')
  const asksOnce = flags.isDriven ? 'input-format' : onceFlags.find((name) => flags.has(name))
  const isAlone = prompt === undefined && asksOnce === undefined
  const hasScreen = host.stdout.isTerminal && (await isTerminal(0))
  if (flags.has('prompt-interactive')) requireConversation({ prompt, asksOnce, hasScreen }, flags)
  if (isAlone && hasScreen) {
    if (isLineTerminal(context)) return (await import('./run/run-chat.ts')).chat(context)
    return (await import('./run/run-tui.ts')).tui(context)
  }
  if (flags.has('each')) return (await import('./run/each/each.ts')).each(context, prompt)
  const { exitCode, error } = await (flags.isDriven ? driven(prompt, context) : once(prompt, context))
  if (error !== undefined && interruption.cause === undefined)
    printWarning(host, explainDescriptors(error).message)
  return exitCode
}

/** Flags of a run that answers one prompt and ends. */
const onceFlags = [
  ...['json-schema', 'yes-no', 'extract', 'each', 'check', 'patch', 'dry-run', 'print', 'template'],
  ...['output-format', 'json', 'events-fd'],
] as const

/** Throws `usage` for `-i` in a run that cannot be a conversation on a terminal. */
function requireConversation(
  run: {
    readonly prompt: string | undefined
    readonly asksOnce: string | undefined
    readonly hasScreen: boolean
  },
  flags: Flags,
): void {
  if (run.asksOnce !== undefined)
    throw usageError(
      `-i starts a conversation, and --${run.asksOnce} is for one answer: leave one of them out`,
    )
  if (run.prompt !== undefined)
    throw usageError(`-i takes one prompt, in quotes; ${JSON.stringify(run.prompt)} is a second one`)
  if (flags.text('prompt-interactive')?.trim() === '') throw usageError('-i takes a prompt')
  if (!run.hasScreen)
    throw usageError(
      '-i starts the terminal UI, which needs a terminal on stdin and stdout; pipe "prompt" answers without one',
    )
}

/** Runs a conversation that a program drives. */
async function driven(prompt: string | undefined, context: RunContext): Promise<Outcome> {
  if (prompt !== undefined)
    throw usageError('--input-format stream-json takes prompts on stdin, not on the command line')
  if (context.flags.has('dry-run'))
    throw usageError('--dry-run shows the request of one prompt: leave out --input-format stream-json')
  if (context.flags.has('events-fd'))
    throw usageError(
      '--events-fd cannot be combined with --input-format stream-json: its events are on stdout',
    )
  return (await import('./run/controlled/open-controlled.ts')).controlled(context)
}

/** Runs one prompt. */
async function once(prompt: string | undefined, context: RunContext): Promise<Outcome> {
  const { host, flags } = context
  const isPicked = flags.asksForPart
  const asked = isPicked
    ? (await import('./run/message/asked-answer.ts')).readAskedAnswer(context)
    : undefined
  if (flags.has('dry-run'))
    return { exitCode: await (await import('./run/dry-run.ts')).dryRun({ ...context, prompt, asked }) }
  const events = await openEventsReporter(context)
  const reported: ReportedConversation = { givenIds: new Map() }
  const isPeer = isPeerProtocol(flags) && flags.format !== 'text'
  const reporter = isPeer
    ? (await import('./run/controlled/peer-reporter.ts')).peerReporter(context, reported)
    : await openReporter(host, {
        isPicked,
        isPatch: flags.has('patch'),
        look: lookOf,
        openDrawing: isPicked ? undefined : drawnAnswer(context),
        format: flags.format,
        verbose: flags.has('verbose'),
        quiet: flags.has('quiet'),
      })
  return oneShot({
    ...context,
    prompt,
    reporter: events === undefined ? reporter : withEvents(reporter, events),
    asked,
    onWired: (wired) => {
      reported.wired = wired
    },
  })
}

/** Opens what writes events to the descriptor of `--events-fd`; `undefined` without one. Throws `usage`. */
async function openEventsReporter({ host, flags }: RunContext): Promise<Reporter | undefined> {
  const descriptor = flags.text('events-fd')
  if (descriptor === undefined) return undefined
  const { openEvents } = await import('./run/events-output.ts')
  const { streamJsonReporter } = await import('../line/stream-json.ts')
  return streamJsonReporter(openEvents(descriptor, host.warn))
}

/** Reports an error in one line, or with its stack if it is a bug. Returns the exit code. */
function report(thrown: unknown, host: HostProcess, { cause }: Interruption): number {
  const error = explainDescriptors(thrown)
  if (error instanceof BrokenPipe) return signalExitCodes.SIGPIPE
  if (cause !== undefined && isPipeError(error)) return signalExitCodes[cause]
  if (isPipeError(error)) {
    printWarning(host, error.message)
    return exitCodes[error.code]
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  printWarning(host, `this is a bug in pipe\n${stack}`)
  return exitCodes.internal
}
