import { withoutTags } from '../../../characters/tag-characters.ts'
import { type ConfiguredServer, expandServer } from '../../../config/mcp/find-servers.ts'
import { openSpill } from '../../../files/writing/spill.ts'
import type { NewId } from '../../../id.ts'
import type { CommandRunner } from '../../../machine/running-command.ts'
import type { Transport } from '../../../machine/transport.ts'
import { needsSignIn, signInKey } from '../../../mcp/auth/sign-in.ts'
import { ManagedServer, type UsableServer } from '../../../mcp/managed-server.ts'
import type { SpillText } from '../../../mcp/material/call-result.ts'
import { ServerPool } from '../../../mcp/server-pool.ts'
import { createServerTools } from '../../../mcp/server-tools.ts'
import { systemPath } from '../../../process/system-path.ts'
import { printable } from '../../../terminal/printable.ts'
import type { ToolExecutor } from '../../../tool.ts'
import { lockHolder } from '../../machine.ts'
import { version } from '../../version.ts'
import type { WireContext } from '../wire-context.ts'
import { offersServer } from './known-tools.ts'
import { openServerMemory } from './server-memory-file.ts'
import { ServerMentions } from './server-mentions.ts'
import { openSignIns } from './sign-in-file.ts'

/** Lists the variables that each server gets. None of them holds a key. Its entry adds the rest. */
const passedOn = ['HOME', 'PATH', 'SHELL', 'TERM', 'USER', 'LOGNAME', 'LANG'] as const

export interface ServerParts {
  /** Starts servers outside of the sandbox, as the user has approved them. */
  readonly commands: CommandRunner
  readonly transport: Transport
  /** The folder for results that are too long. */
  readonly spillDir: string
}

interface PoolParts extends Omit<ServerParts, 'spillDir'> {
  /** Whether a user can answer what servers ask. */
  readonly isAttended: boolean
  /** Whether to warn of a server that waits for a sign-in, because nobody sees what it answers. */
  readonly warnsOfSignIn?: boolean
  readonly context: Pick<WireContext, 'machine' | 'at' | 'directories' | 'signal'>
}

/** Opens servers, of which it starts none. Warns of one whose variables are not set. Returns `undefined` if none is left. */
export async function openPool(
  servers: readonly ConfiguredServer[],
  { context, commands, transport, isAttended, warnsOfSignIn = false }: PoolParts,
): Promise<ServerPool | undefined> {
  const { machine, at, directories, signal } = context
  const usable = servers.flatMap((one): readonly UsableServer[] => {
    const { server, hash, path } = one
    const expanded = expandServer(one, { env: machine.env, folder: at.cwd })
    if (expanded.type === 'ok') return [{ server: expanded.value, hash }]
    machine.warn(`${path}: the MCP server ${server.name} was left out: ${expanded.reason}`)
    return []
  })
  if (usable.length === 0) return undefined
  const memory = await openServerMemory(directories, machine, signal)
  const { clock, env } = machine
  const base = Object.fromEntries(
    passedOn.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  )
  const platform = {
    commands,
    transport,
    clock,
    env: { PATH: systemPath, ...base },
    folder: at.cwd,
    version,
    isAttended,
    clean,
    signIns: openSignIns(
      directories,
      lockHolder(machine, signal),
      warnsOfSignIn ? signInWarning(usable, machine.warn) : undefined,
    ),
  }
  return new ServerPool(usable.map((one) => new ManagedServer(one, platform, memory)))
}

/** Warns once of each server that waits for a sign-in. */
function signInWarning(
  servers: readonly UsableServer[],
  warn: (line: string) => void,
): (url: string) => void {
  const told = new Set<string>()
  return (url) => {
    if (told.has(url)) return
    told.add(url)
    for (const { server } of servers) {
      const { access, name } = server
      if (access.type === 'http' && signInKey(access.url) === url) warn(needsSignIn(name))
    }
  }
}

const clean = (text: string): string => printable(withoutTags(text))

/** Offers the tools of the servers to a conversation, as far as its agents let it. Long results go to a file in this folder. */
export function toolsOf(
  pool: ServerPool,
  spillDir: string,
  { machine: { newId }, choices }: Pick<WireContext, 'machine' | 'choices'>,
): ToolExecutor {
  const offers = (word: string) => offersServer(word, { choices })
  return createServerTools({ pool, newId, spill: spillInto(spillDir), offers })
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
