import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { exitCodes, isPipeError, PipeError, unreachable } from '../error.ts'
import { printable } from '../terminal/printable.ts'
import { type Flags, type Invocation, parseArguments } from './args.ts'
import { type Host, openHost } from './host.ts'
import { BrokenPipe, isTerminal } from './output.ts'
import { runOneShot } from './run/one-shot.ts'
import { jsonReporter, type Reporter } from './run/reporter.ts'
import { textReporter } from './run/text.ts'
import { type Interruption, signalExitCodes, watchSignals } from './signals.ts'
import { version } from './version.ts'

/** Runs the command line and sets the process's exit code. */
export async function main(): Promise<void> {
  const host = await openHost()
  const interruption = watchSignals()
  try {
    process.exitCode = await dispatch(host, interruption)
  } catch (error) {
    process.exitCode = report(error, host, interruption)
  } finally {
    interruption.close()
  }
}

async function dispatch(host: Host, interruption: Interruption): Promise<number> {
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
    case 'demo':
      return (await import('./commands/demo/demo.ts')).demo(host, interruption)
    case 'sessions_list': {
      const { listSessions } = await import('./commands/sessions.ts')
      await listSessions(inFolder(host, invocation.flags), invocation.flags, interruption.signal)
      return 0
    }
    case 'sessions_show': {
      const { id, flags } = invocation
      const { showSession } = await import('./commands/sessions.ts')
      await showSession(id, { host: inFolder(host, flags), flags, signal: interruption.signal })
      return 0
    }
    case 'models': {
      const { filter, flags } = invocation
      const { listModels } = await import('./commands/models.ts')
      await listModels({ filter, host: inFolder(host, flags), flags, signal: interruption.signal })
      return 0
    }
    case 'auth': {
      const { command, flags } = invocation
      const { runAuth } = await import('./commands/auth.ts')
      await runAuth(command, { host: inFolder(host, flags), flags, interruption })
      return 0
    }
    case 'audit': {
      const { command, flags } = invocation
      const { runAudit } = await import('./commands/audit.ts')
      await runAudit(command, { host: inFolder(host, flags), flags, signal: interruption.signal })
      return 0
    }
    case 'undo': {
      const { turns, flags } = invocation
      const { runUndo } = await import('./commands/undo.ts')
      await runUndo({ turns, host: inFolder(host, flags), flags, signal: interruption.signal })
      return 0
    }
    case 'doctor': {
      const { flags } = invocation
      const { runDoctor } = await import('./commands/doctor.ts')
      return runDoctor({ host: inFolder(host, flags), flags, signal: interruption.signal })
    }
    case 'trust': {
      const { action, flags } = invocation
      const { runTrust } = await import('./commands/trust.ts')
      await runTrust(action, { host: inFolder(host, flags), flags, signal: interruption.signal })
      return 0
    }
    case 'permissions': {
      const { action, flags } = invocation
      const { checkPermissions, listRules } = await import('./commands/permissions.ts')
      if (action === 'check') return checkPermissions(inFolder(host, flags), flags)
      await listRules(inFolder(host, flags), flags)
      return 0
    }
    case 'schema':
      await (await import('./commands/schema.ts')).printSchema(invocation.name, host)
      return 0
    case 'run':
      return run(inFolder(host, invocation.flags), invocation, interruption)
    default:
      return unreachable(invocation)
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
  if (error !== undefined && interruption.cause === undefined) complain(error, host)
  return exitCode
}

async function openReporter(host: Host, flags: Flags): Promise<Reporter> {
  const format = flags.has('json') ? 'json' : (flags.text('output-format') ?? 'text')
  if (format === 'json') return jsonReporter(host.stdout)
  if (format === 'stream-json') {
    const { streamJsonReporter } = await import('./run/stream-json.ts')
    return streamJsonReporter(host.stdout)
  }
  const chatty = !flags.has('quiet') && (flags.has('verbose') || host.stderr.isTerminal)
  return textReporter(host, { chatty })
}

/** The host as seen from the folder that `-C` names. */
function inFolder(host: Host, flags: Flags): Host {
  const folder = flags.text('cd')
  if (folder === undefined) return host
  try {
    return { ...host, cwd: realpathSync(resolve(host.cwd, folder)) }
  } catch (error) {
    throw new PipeError('usage', `-C ${folder}: there is no such folder`, { cause: error })
  }
}

/** Says what went wrong, in one line for what we know and with its stack for a bug of ours. Returns the exit code. */
function report(error: unknown, host: Host, { cause }: Interruption): number {
  if (error instanceof BrokenPipe) return signalExitCodes.SIGPIPE
  if (cause !== undefined && isPipeError(error)) return signalExitCodes[cause]
  if (isPipeError(error)) {
    complain(error, host)
    return exitCodes[error.code]
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  host.stderr.write(`pipe: this is a fault of pipe itself\n${printable(stack)}\n`)
  return exitCodes.internal
}

function complain(error: PipeError, host: Host): void {
  host.stderr.write(`pipe: ${printable(error.message)}\n`)
}
