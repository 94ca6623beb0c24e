import type { RemoteServer } from '../../../attach/remote-server.ts'
import { readPermissionMode } from '../../../config/permission-mode.ts'
import { PipeError } from '../../../error.ts'
import { signalExitCodes } from '../../../frontend/ending-signal.ts'
import { printWarning } from '../../../terminal/output.ts'
import { printableJson } from '../../../terminal/printable-json.ts'
import { readOwnSettings } from '../../choices.ts'
import { usageError } from '../../flags.ts'
import type { RunContext } from '../../run-context.ts'
import { isLineTerminal } from '../../screen-reader.ts'
import { isTerminal } from '../../standard-output.ts'
import { readAllSettings } from '../../wiring/read-settings.ts'
import { Remotes } from './remotes.ts'
import { pickRemote, showRemote } from './screen.ts'
import { findTarget, type Target } from './target.ts'

/**
 * Shows a session that a server runs: on a screen, or as the lines of its events. Returns the exit code. Throws `usage` without a
 * terminal, `auth` for a wrong token, `not_found` for no such server or session, `network` once the server is gone.
 */
export async function attach(text: string | undefined, context: RunContext): Promise<number> {
  const { host, flags, interruption, signal } = context
  const wantsLines = flags.format === 'stream-json'
  if (!wantsLines) await requireScreen(context)
  const { settings } = await readAllSettings(host, readOwnSettings(flags))
  const remotes = new Remotes({ machine: host, settings, signal })
  const exitCode = (other: number) =>
    interruption.cause === undefined ? other : signalExitCodes[interruption.cause]
  try {
    const target = await findTarget(text, context, remotes)
    const id = await chooseSession(target, context, wantsLines)
    if (id === undefined) return exitCode(signalExitCodes.SIGINT)
    if (wantsLines) await printLines(target.server, id, context)
    else {
      const last = await showRemote(target.server, id, { ...context, settings })
      printWarning(
        host,
        `detached; the session continues on the server. Attach again with: ${target.again(last)}`,
      )
    }
    return exitCode(0)
  } finally {
    remotes.close()
  }
}

async function requireScreen(context: RunContext): Promise<void> {
  const { stdout } = context.host
  const isScreen = stdout.isTerminal && (await isTerminal(0)) && !isLineTerminal(context)
  if (!isScreen)
    throw usageError(
      'pipe attach needs a terminal that draws a screen; -o stream-json prints events instead',
      'pipe attach --help',
    )
}

/** Returns the id of the session to show: a new one, the named one, or the chosen one; `undefined` if the user leaves. */
async function chooseSession(
  { server, session }: Target,
  context: RunContext,
  wantsLines: boolean,
): Promise<string | undefined> {
  const { flags } = context
  const project = flags.text('project')
  if (flags.has('new')) {
    if (session !== undefined) throw usageError('--new starts another session; do not name one as well')
    const mode = readPermissionMode(flags.text('permission-mode') ?? '')
    return server.begin({ project, mode, model: flags.text('model'), agent: flags.text('agent') })
  }
  if (session !== undefined) return isWhole(session) ? session : findSession(server, session)
  if (wantsLines) throw usageError('-o stream-json needs a session: name one, or start one with --new')
  return pickRemote(server, project, context)
}

const isWhole = (id: string) => id.length === 36

async function findSession(server: RemoteServer, text: string): Promise<string> {
  const found = await server.find(text)
  if (found === undefined) throw new PipeError('not_found', `${server.name} has no session ${text}`)
  return found.id
}

/** Prints the lines of a session's events until the run is interrupted. */
async function printLines(server: RemoteServer, id: string, { host }: RunContext): Promise<void> {
  const onLost = (reason: string) => printWarning(host, `${reason}; connecting again`)
  for await (const line of server.lines(id, onLost)) host.stdout.write(`${printableJson(line)}\n`)
}
