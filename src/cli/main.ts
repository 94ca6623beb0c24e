import { exitCodes, isPipeError, unreachable } from '../error.ts'
import { isInForeground } from '../files/lock/process-start.ts'
import { signalExitCodes } from '../frontend/ending-signal.ts'
import type { Outcome } from '../line/outcome.ts'
import { openReporter } from '../line/output-formats.ts'
import { BrokenPipe, printWarning } from '../terminal/output.ts'
import { type Invocation, parseArguments } from './args.ts'
import { requireEach } from './choices.ts'
import { type Flags, usageError } from './flags.ts'
import { addedFolder, enterFolder, type Host, type HostProcess, isFile, isFolder, openHost } from './host.ts'
import type { ReportedConversation } from './run/controlled/peer-reporter.ts'
import { isPeerProtocol } from './run/controlled/protocol.ts'
import { drawnAnswer } from './run/drawn-answer.ts'
import { oneShot } from './run/run-one-shot.ts'
import type { RunContext } from './run-context.ts'
import { hasScreenReader } from './screen-reader.ts'
import { sessionNames } from './session-argument.ts'
import { type Interruption, watchSignals } from './signals.ts'
import { explainDescriptors } from './standard-descriptors.ts'
import { closeGoneTerminals, isTerminal } from './standard-output.ts'
import { version } from './version.ts'
import { lookOf } from './wiring/tools/known-tools.ts'

/** Runs the command line and sets the process's exit code. Returns whether a conversation went well, as most runs are. */
export async function main(): Promise<boolean> {
  process.once('exit', closeGoneTerminals)
  const host = await openHost()
  const interruption = watchSignals(host)
  // An uncaught error from a package also ends the run, but with our one-line message.
  const onUncaught = (error: unknown) => process.exit(report(error, host, interruption))
  process.on('uncaughtException', onUncaught)
  let isUsual = false
  try {
    const invocation = await parseArguments(host.argv, {
      sessions: () => sessionNames(host),
      hasTitle: async (title) => (await import('./given/known-title.ts')).hasTitle(title, host),
      isFolder,
      isFile,
    })
    process.exitCode = await dispatch(invocation, { host, interruption })
    isUsual = invocation.type === 'run' && process.exitCode === 0
  } catch (error) {
    process.exitCode = report(error, host, interruption)
  } finally {
    process.off('uncaughtException', onUncaught)
    interruption.close()
  }
  await endInBackground(interruption)
  return isUsual
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
      host.stdout.write(`${version}\n`)
      return 0
    case 'run': {
      const { prompt, flags } = invocation
      const context = { host: inFolder(host, flags), flags, interruption, signal }
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
  const alone =
    prompt === undefined &&
    !flags.asksForPart &&
    !flags.has('each') &&
    !flags.has('check') &&
    !flags.has('patch') &&
    !flags.has('dry-run') &&
    !flags.isDriven &&
    !flags.has('print') &&
    !flags.has('template') &&
    flags.text('output-format') === undefined &&
    !flags.has('json')
  if (alone && host.stdout.isTerminal && (await isTerminal(0))) {
    if (host.env['TERM'] === 'dumb' || hasScreenReader(context))
      return (await import('./run/run-chat.ts')).chat(context)
    return (await import('./run/run-tui.ts')).tui(context)
  }
  if (flags.has('each')) return (await import('./run/each/each.ts')).each(context, prompt)
  const { exitCode, error } = await (flags.isDriven ? driven(prompt, context) : once(prompt, context))
  if (error !== undefined && interruption.cause === undefined)
    printWarning(host, explainDescriptors(error).message)
  return exitCode
}

/** Runs a conversation that a program drives. */
async function driven(prompt: string | undefined, context: RunContext): Promise<Outcome> {
  if (prompt !== undefined)
    throw usageError('--input-format stream-json takes prompts on stdin, not on the command line')
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
    reporter,
    asked,
    onWired: (wired) => {
      reported.wired = wired
    },
  })
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
