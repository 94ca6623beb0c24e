import { isReadable, readAddress, type ServerAddress, serverName } from '../../../attach/address.ts'
import type { NamedSession, RemoteServer } from '../../../attach/remote-server.ts'
import { isPipeError, PipeError } from '../../../error.ts'
import { printWarning } from '../../../terminal/output.ts'
import { usageError } from '../../flags.ts'
import type { RunContext } from '../../run-context.ts'
import { openToken } from '../serve/server-token.ts'
import type { Remotes } from './remotes.ts'
import { type FoundServer, runningServers } from './running-servers.ts'

/** A server to attach to, and what the user named of it. */
export interface Target {
  readonly server: RemoteServer
  /** The id of a session, or the beginning of one. */
  readonly session: string | undefined
  /** Begins the command that attaches to a session of it again. */
  readonly again: (id: string) => string
}

/** The variable that holds the token. On the command line others could see it. */
const tokenVariable = 'PIPE_SERVE_TOKEN'

/** Finds the server that a text stands for: an address, a session that a server of this machine has, or nothing. */
export async function findTarget(
  text: string | undefined,
  context: RunContext,
  remotes: Remotes,
): Promise<Target> {
  const address = text === undefined ? undefined : readAddress(text)
  if (address !== undefined) return addressed(address, context, remotes)
  const opened = await serversOfThisMachine(context, remotes)
  if (opened.length === 0)
    throw new PipeError(
      'not_found',
      'none of your servers is running on this machine: start one with pipe serve, or name the address of another',
    )
  if (text !== undefined) return named(text, opened)
  const server = nearest(opened, context.host.cwd)
  if (server !== undefined) return { server, session: undefined, again: againHere }
  const names = opened.map(({ running }) => serverName(running.address)).join(', ')
  throw usageError(`several servers are running: name the address of one, or a session (${names})`)
}

/** A server of this user on this machine, and the way to ask it. */
interface Opened {
  readonly running: FoundServer
  readonly server: RemoteServer
}

/** Opens the servers of this user on this machine. None is asked yet. */
export async function serversOfThisMachine(
  context: RunContext,
  remotes: Remotes,
): Promise<readonly Opened[]> {
  const found = runningServers(context.host)
  if (found.length === 0) return []
  const token = await tokenOfThisMachine(context)
  return found.map((running) => ({ running, server: remotes.server(running.address, token) }))
}

async function addressed(address: ServerAddress, context: RunContext, remotes: Remotes): Promise<Target> {
  const { host } = context
  const own = runningServers(host).some(({ address: known }) => isSame(known, address))
  const token = address.token ?? (own ? await tokenOfThisMachine(context) : host.env[tokenVariable])
  if (token === undefined || token === '')
    throw new PipeError(
      'auth',
      `${serverName(address)} needs a token: give the whole address that pipe serve prints, or set ${tokenVariable}`,
    )
  if (isReadable(address))
    printWarning(
      host,
      `${address.base} is not encrypted: others on the network can read the token and all messages`,
    )
  const place = address.socketPath === undefined ? address.base : `unix:${address.socketPath}`
  const again = own ? againHere : (id: string) => `pipe attach ${place}/sessions/${id}`
  return { server: remotes.server(address, token), session: address.sessionId, again }
}

/** Finds the server that has a session open, else one that could open it. */
async function named(text: string, opened: readonly Opened[]): Promise<Target> {
  const answers = await Promise.all(opened.map(({ server }) => ask(server, text)))
  const found = answers.filter((answer) => 'id' in answer)
  const best = found.find(({ isOpen }) => isOpen) ?? found[0]
  if (best !== undefined) return { server: best.server, session: best.id, again: againHere }
  const failure = answers.find((answer) => 'error' in answer)
  if (failure !== undefined) throw failure.error
  throw new PipeError('not_found', `no server on this machine has a session ${text}`)
}

type Answer =
  | (NamedSession & { readonly server: RemoteServer })
  | { readonly error: PipeError }
  | { readonly none: true }

async function ask(server: RemoteServer, text: string): Promise<Answer> {
  try {
    const found = await server.find(text)
    return found === undefined ? { none: true } : { ...found, server }
  } catch (error) {
    if (isPipeError(error)) return { error }
    throw error
  }
}

/** Chooses the only server, or the only one that works in this folder. */
function nearest(opened: readonly Opened[], cwd: string): RemoteServer | undefined {
  const here = opened.filter(({ running }) => running.projects.includes(cwd))
  const [first, ...others] = here.length > 0 ? here : opened
  return others.length === 0 ? first?.server : undefined
}

async function tokenOfThisMachine({ host, signal }: RunContext): Promise<string> {
  return host.env[tokenVariable] || openToken(host, signal)
}

function againHere(id: string): string {
  return `pipe attach ${id}`
}

function isSame(one: ServerAddress, other: ServerAddress): boolean {
  return one.base === other.base && one.socketPath === other.socketPath
}
