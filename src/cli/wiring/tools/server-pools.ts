import { type ConfiguredServer, expandServer } from '../../../config/mcp/find-servers.ts'
import type { FolderTrust } from '../../../config/trust/folder-trust.ts'
import { openSpill } from '../../../files/writing/spill.ts'
import type { NewId } from '../../../id.ts'
import type { CommandRunner } from '../../../machine/running-command.ts'
import type { ServerInProgram } from '../../../machine/tool-server.ts'
import type { Transport } from '../../../machine/transport.ts'
import { needsSignIn, signInKey } from '../../../mcp/auth/sign-in.ts'
import type { ServerPlatform } from '../../../mcp/connection.ts'
import { ManagedServer, type UsableServer } from '../../../mcp/managed-server.ts'
import type { SpillText } from '../../../mcp/material/call-result.ts'
import type { RememberedServer, ServerMemory } from '../../../mcp/server-memory.ts'
import { ServerPool } from '../../../mcp/server-pool.ts'
import { createServerTools, type DeferredTools } from '../../../mcp/server-tools.ts'
import { onlyOnce } from '../../../records/only-once.ts'
import { harmlessText } from '../../../terminal/harmless-text.ts'
import type { ToolExecutor } from '../../../tool.ts'
import { lockHolder } from '../../machine.ts'
import { version } from '../../version.ts'
import { programEnvironment, projectVariables } from '../programs/server-environment.ts'
import type { WireContext } from '../wire-context.ts'
import { offersServer } from './known-tools.ts'
import { openServerMemory } from './server-memory-file.ts'
import { ServerMentions } from './server-mentions.ts'
import { openSignIns } from './sign-in-file.ts'

export interface ServerParts {
  /** Starts servers outside of the sandbox, as the user has approved them. */
  readonly commands: CommandRunner
  readonly transport: Transport
  /** The folder for results that are too long. */
  readonly spillDir: string
  /** Tools of pipe that are found as those of servers are. Default: none. */
  readonly deferred?: DeferredTools | undefined
}

export interface PoolParts extends Omit<ServerParts, 'spillDir'> {
  /** Whether a user can answer what servers ask. */
  readonly isAttended: boolean
  /** Whether to warn of a server that waits for a sign-in, because nobody sees what it answers. */
  readonly warnsOfSignIn?: boolean
  readonly context: Pick<WireContext, 'machine' | 'at' | 'directories' | 'signal'> & {
    readonly choices?: Pick<WireContext['choices'], 'inProgram'>
    readonly loaded: { readonly trust: Pick<FolderTrust, 'root'> }
  }
}

/** Opens servers, of which it starts none. Returns `undefined` if none is left. */
export async function openPool(
  servers: readonly ConfiguredServer[],
  parts: PoolParts,
): Promise<ServerPool | undefined> {
  const managed = await manageServers(servers, parts)
  return managed.length === 0 ? undefined : new ServerPool(managed)
}

/** Adds servers to those of a pool, which they hide if they have the same name. A pool without servers may get some later. */
export function withServers(pool: ServerPool | undefined, servers: readonly ManagedServer[]): ServerPool {
  const all = pool ?? new ServerPool([])
  all.replace(new Set(servers.map(({ server }) => server.name)), servers)
  return all
}

/** Opens servers of the program that drives the run. What they say of themselves is forgotten with it. */
export async function manageInProgram(
  servers: readonly ServerInProgram[],
  parts: PoolParts,
): Promise<readonly ManagedServer[]> {
  if (servers.length === 0) return []
  const platform = platformOf([], parts)
  return servers.map((server) => {
    const known = new Map<string, RememberedServer>()
    const memory: ServerMemory = {
      recall: (hash) => known.get(hash),
      keep: async (hash, remembered) => void known.set(hash, remembered),
    }
    return new ManagedServer({ server, hash: server.name }, platform, memory)
  })
}

/** Opens servers that are configured. Warns of one whose variables are not set. */
export async function manageServers(
  servers: readonly ConfiguredServer[],
  parts: PoolParts,
): Promise<readonly ManagedServer[]> {
  const { machine, at, directories, signal, loaded } = parts.context
  const env = { ...machine.env, ...projectVariables(loaded.trust.root) }
  const usable = servers.flatMap((one): readonly UsableServer[] => {
    const { server, hash, path } = one
    const expanded = expandServer(one, { env, folder: at.cwd })
    if (expanded.type === 'ok') return [{ server: expanded.value, hash }]
    machine.warn(`${path}: the MCP server ${server.name} was left out: ${expanded.reason}`)
    return []
  })
  if (usable.length === 0) return []
  const memory = await openServerMemory(directories, machine, signal)
  const platform = platformOf(usable, parts)
  return usable.map((one) => new ManagedServer(one, platform, memory))
}

function platformOf(
  usable: readonly UsableServer[],
  { context, commands, transport, isAttended, warnsOfSignIn = false }: PoolParts,
): ServerPlatform {
  const { machine, at, directories, signal, choices, loaded } = context
  const { clock, env } = machine
  return {
    commands,
    transport,
    clock,
    env: { ...programEnvironment(env), ...projectVariables(loaded.trust.root) },
    folder: at.cwd,
    version,
    isAttended,
    clean: harmlessText,
    signIns: openSignIns(
      directories,
      lockHolder(machine, signal),
      warnsOfSignIn ? signInWarning(usable, machine.warn) : undefined,
    ),
    program: choices?.inProgram?.program,
  }
}

/** Warns once of each server that waits for a sign-in. */
function signInWarning(
  servers: readonly UsableServer[],
  warn: (line: string) => void,
): (url: string) => void {
  return onlyOnce((url) => {
    for (const { server } of servers) {
      const { access, name } = server
      if (access.type === 'http' && signInKey(access.url) === url) warn(needsSignIn(name))
    }
  })
}

/** Offers the tools of the servers to a conversation, as far as its agents let it. Long results go to a file in this folder. */
export function toolsOf(
  pool: ServerPool,
  { spillDir, deferred }: Pick<ServerParts, 'spillDir' | 'deferred'>,
  { machine: { newId }, choices }: Pick<WireContext, 'machine' | 'choices'>,
): ToolExecutor {
  const offers = (word: string) => offersServer(word, { choices })
  return createServerTools({ pool, newId, spill: spillInto(spillDir), offers, deferred })
}

/** Offers the search alone, where no server may run but some tools of pipe stay out of prompts. */
export function finderOf(
  parts: Pick<ServerParts, 'spillDir' | 'deferred'>,
  context: Pick<WireContext, 'machine' | 'choices'>,
): ToolExecutor {
  return toolsOf(new ServerPool([]), parts, context)
}

/** Reads what messages of a conversation take from the servers. */
export function mentionsOf(pool: ServerPool, spillDir: string, newId: NewId): ServerMentions {
  const newMark = () => newId.toolCall().slice(5)
  return new ServerMentions(pool, { spill: spillInto(spillDir), newMark })
}

function spillInto(folder: string): SpillText {
  return async (text) => {
    const file = await openSpill(folder, 'mcp')
    try {
      await file.write(Buffer.from(text))
    } finally {
      await file.close()
    }
    return file.path
  }
}
