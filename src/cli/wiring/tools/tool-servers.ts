import { join } from 'node:path'
import type { Directories } from '../../../config/directories.ts'
import type { LayeredSettings } from '../../../config/layers.ts'
import {
  agentServers,
  type ConfiguredServer,
  type FoundServers,
  findToolServers,
  hasServers,
  type ServerSources,
} from '../../../config/mcp/find-servers.ts'
import { pluginVariables } from '../../../machine/plugin-folders.ts'
import type { SignInOptions, ToolServer } from '../../../machine/tool-server.ts'
import type { ServerPool } from '../../../mcp/server-pool.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { visibleLine } from '../../../terminal/visible.ts'
import type { ToolExecutor } from '../../../tool.ts'
import type { Machine } from '../../machine.ts'
import type { ServerChanges } from '../servers/server-changes.ts'
import type { WireContext } from '../wire-context.ts'
import type { ServerMentions } from './server-mentions.ts'
import type { ServerParts } from './server-pools.ts'

/** The tools of servers for one conversation. */
export interface OpenedServers {
  readonly executor: ToolExecutor
  readonly pool: ServerPool
  /** Those of the settings, without those of the agent alone. Its elves have them too. */
  readonly shared: ServerPool | undefined
  readonly mentions: ServerMentions
  /** Changes the servers during the run. Absent: only a program that drives it does. */
  readonly changes?: ServerChanges
}

/** The places where servers are configured. */
export function serverSources(
  {
    settings,
    trust,
    plugins,
    given,
    peer,
  }: Pick<LayeredSettings, 'settings' | 'trust' | 'plugins' | 'given' | 'peer'>,
  { config }: Pick<Directories, 'config'>,
): ServerSources {
  const own = { path: join(config, 'config.json'), servers: settings.mcp_servers ?? {} }
  return { own, trust, off: peer.noServers, plugins, given }
}

/** Names a server with all that starts or reaches it, in one line. */
export function describeServer({ server }: ConfiguredServer): string {
  return visibleLine(`${server.name}: ${accessText(server)}`)
}

/** Writes what starts or reaches a server as a shell line, or as its URL with its headers. */
export function accessText({ access }: ToolServer): string {
  if (access.type === 'http') {
    const headers = Object.entries(access.headers).map(([key, value]) => ` (${key}: ${value})`)
    const oauth = access.oauth === undefined ? '' : ` (oauth: ${JSON.stringify(spellSignIn(access.oauth))})`
    return `${access.url}${headers.join('')}${oauth}`
  }
  const env = Object.entries(access.env).map(([key, value]) => `${key}=${quoted(value)} `)
  return `${env.join('')}${[access.command, ...access.args].map(quoted).join(' ')}`
}

/** Writes what an entry says of signing in as its file does, without a secret that stands in it. */
export function spellSignIn({
  clientMetadataUrl,
  clientId,
  clientSecret,
  callbackPort,
  scopes,
}: SignInOptions): object {
  return omitUndefined({
    client_metadata_url: clientMetadataUrl,
    client_id: clientId,
    client_secret: clientSecret === undefined || clientSecret.includes('${') ? clientSecret : '[hidden]',
    callback_port: callbackPort,
    scopes,
  })
}

/** Leaves out the variables that every program of a plugin gets, for people. */
export function withoutPluginVariables(server: ToolServer): ToolServer {
  const { access } = server
  if (access.type !== 'stdio') return server
  const usual = Object.keys(pluginVariables({ root: '', data: '' }))
  const env = Object.fromEntries(Object.entries(access.env).filter(([name]) => !usual.includes(name)))
  return { ...server, access: { ...access, env } }
}

function quoted(word: string): string {
  return /^[\w@%+=:,./~${}-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}

/** Says which servers of the project were left out. */
export function skippedServers({ unapproved, notes }: FoundServers): readonly string[] {
  const names = unapproved.map(({ server }) => server.name)
  const [first] = unapproved
  if (first === undefined) return notes
  return [
    ...notes,
    `${first.path}: ${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} not approved, so not started: run pipe trust`,
  ]
}

/** Says which servers do not count, because another one has their name. */
export function hiddenServers({ hidden }: Pick<FoundServers, 'hidden'>): readonly string[] {
  return hidden.map(({ one, by }) =>
    visibleLine(
      `${one.path}: the MCP server ${one.server.name} is ignored: one in ${by.path} has the same name`,
    ),
  )
}

/** Finds the servers that may run, and warns of those that may not. */
async function usableServers(
  sources: ServerSources,
  machine: Pick<Machine, 'warn'>,
): Promise<FoundServers['servers']> {
  const found = await findToolServers(sources)
  // That a server of the user's own stands before one of others is as they want it.
  const surprising = found.hidden.filter(({ by }) => by.source !== 'user')
  for (const line of [...hiddenServers({ hidden: surprising }), ...skippedServers(found)]) machine.warn(line)
  return found.servers
}

/** Opens the servers of a run, and those of its agent alone, which hide others of their names. Starts none. Most runs load nothing for them. */
export async function openToolServers(
  context: WireContext,
  { commands, transport, ...more }: ServerParts,
): Promise<OpenedServers | undefined> {
  const { machine, loaded, directories, parts, closing } = context
  const sources = serverSources(loaded, directories)
  const own = context.agent === undefined ? [] : agentServers(context.agent.definition)
  const { inProgram } = context.choices
  const isNeeded = inProgram !== undefined || hasServers(sources) || own.length > 0
  if (parts.servers === undefined && !isNeeded) return undefined
  const { manageInProgram, mentionsOf, openPool, toolsOf, withServers } = await import('./server-pools.ts')
  const isAttended = context.choices.onAsk === 'ask'
  const options = { context, commands, transport, isAttended, warnsOfSignIn: !isAttended }
  const open = async (servers: FoundServers['servers']) => {
    const opened = await openPool(servers, options)
    if (opened !== undefined) closing.add(() => opened.close())
    return opened
  }
  const begun = parts.servers === undefined ? await manageInProgram(inProgram?.servers ?? [], options) : []
  const configured = parts.servers ?? (await open(await usableServers(sources, machine)))
  const all = inProgram === undefined ? configured : withServers(configured, begun)
  const alone = await open(own)
  const shared = alone === undefined ? all : all?.without(alone)
  const pool = shared === undefined ? alone : (alone?.with(shared) ?? shared)
  if (pool === undefined) return undefined
  const opened = {
    executor: toolsOf(pool, more, context),
    pool,
    shared,
    mentions: mentionsOf(pool, more.spillDir, machine.newId),
  }
  if (inProgram === undefined || parts.servers !== undefined) return opened
  const pools = [...new Set([pool, shared ?? pool])]
  const { ServerChanges } = await import('../servers/server-changes.ts')
  const changes = new ServerChanges({ pools, begun, parts: options, trust: loaded.trust })
  closing.add(() => changes.close())
  return { ...opened, changes }
}
