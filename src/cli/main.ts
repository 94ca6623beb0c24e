import { exitCodes, isPipeError } from '../error.ts'
import { type Invocation, parseArguments } from './args.ts'
import type { Flags } from './flags.ts'
import { addedFolder, enterFolder, type Host, openHost, type Surroundings } from './host.ts'
import { BrokenPipe, isTerminal, tell } from './output.ts'
import { runOneShot } from './run/one-shot.ts'
import { jsonReporter, type Reporter } from './run/reporter.ts'
import { textReporter } from './run/text.ts'
import { type Interruption, signalExitCodes, watchSignals } from './signals.ts'
import { version } from './version.ts'

/** Runs the command line and sets the process's exit code. */
export async function main(): Promise<void> {
  const host = await openHost()
  const interruption = watchSignals(host.clock)
  try {
    process.exitCode = await dispatch(host, interruption)
  } catch (error) {
    process.exitCode = report(error, host, interruption)
  } finally {
    interruption.close()
  }
}

async function dispatch(host: Surroundings, interruption: Interruption): Promise<number> {
  const invocation = parseArguments(host.argv)
  switch (invocation.type) {
    case 'help': {
      const { exitCodeText, helpText } = await import('./help.ts')
      host.stdout.write(invocation.topic === 'exit-codes' ? exitCodeText() : helpText())
      return 0
    }
    case 'version':
      host.stdout.write(`${version}\n`)
      return 0
    case 'demo': {
      const { demo } = await import('./commands/demo/demo.ts')
      return demo({ ...host, cwd: enterFolder(undefined) }, interruption)
    }
    case 'schema':
      await (await import('./commands/schema.ts')).printSchema(invocation.name, host)
      return 0
    case 'run':
      return run(inFolder(host, invocation.flags), invocation, interruption)
    default: {
      const { runCommand } = await import('./commands/run-command.ts')
      return runCommand(invocation, inFolder(host, invocation.flags), interruption)
    }
  }
}

async function run(
  host: Host,
  { prompt, flags }: Extract<Invocation, { type: 'run' }>,
  interruption: Interruption,
): Promise<number> {
  const alone =
    prompt === undefined &&
    !flags.has('print') &&
    flags.text('output-format') === undefined &&
    !flags.has('json')
  if (alone && host.stdout.isTerminal && (await isTerminal(0))) {
    if (host.env['TERM'] === 'dumb') return (await import('./run/chat.ts')).chat(host, flags, interruption)
    return (await import('./run/tui.ts')).tui(host, flags, interruption)
  }
  const reporter = await openReporter(host, flags)
  const { exitCode, error } = await runOneShot({ host, flags, prompt, reporter, interruption })
  if (error !== undefined && interruption.cause === undefined) tell(host, error.message)
  return exitCode
}

async function openReporter(host: Host, flags: Flags): Promise<Reporter> {
  if (flags.format === 'json') return jsonReporter(host.stdout)
  if (flags.format === 'stream-json') {
    const { streamJsonReporter } = await import('./run/stream-json.ts')
    return streamJsonReporter(host.stdout)
  }
  const chatty = !flags.has('quiet') && (flags.has('verbose') || host.stderr.isTerminal)
  return textReporter(host, { chatty })
}

/** The host as seen from the folder that `-C` names, or the one it was started in. */
function inFolder(host: Surroundings, flags: Flags): Host {
  return { ...host, cwd: enterFolder(flags.text('cd')), added: flags.all('add-dir').map(addedFolder) }
}

/** Says what went wrong, in one line for what we know and with its stack for a bug of ours. Returns the exit code. */
function report(error: unknown, host: Surroundings, { cause }: Interruption): number {
  if (error instanceof BrokenPipe) return signalExitCodes.SIGPIPE
  if (cause !== undefined && isPipeError(error)) return signalExitCodes[cause]
  if (isPipeError(error)) {
    tell(host, error.message)
    return exitCodes[error.code]
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  tell(host, `this is a fault of pipe itself\n${stack}`)
  return exitCodes.internal
}
