import { isAbsolute, join, resolve } from 'node:path'
import type { AgentDefinition } from '../../actor.ts'
import { isPipeError } from '../../error.ts'
import { lookThrough } from '../../files/look.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../json-value.ts'
import type { Plugin } from '../../machine/plugin.ts'
import { optionsOfServers } from '../../machine/plugin-options.ts'
import { ok, type Result } from '../../machine/result.ts'
import type { SignInOptions, ToolServer } from '../../machine/tool-server.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { GivenParts } from '../given-parts.ts'
import { readJsonWithComments } from '../settings-document.ts'
import type { FolderTrust } from '../trust/folder-trust.ts'
import { holds } from '../trust/project-root.ts'
import { contentHash } from '../trust/trust.ts'
import { expandVariables } from './expand-variables.ts'
import { pluginServerName } from './plugin-server-name.ts'
import { readServer } from './server-fields.ts'

/** A server as its file has it. */
export interface ConfiguredServer {
  /** Its texts are not expanded: this is what a user approves. */
  readonly server: ToolServer
  readonly source: 'user' | 'project' | 'plugin'
  readonly path: string
  /** The agent whose file sets it up for itself. */
  readonly agent?: string
  /** Binds an approval, and what is remembered of it, to all that starts or reaches it. */
  readonly hash: string
  /** Values of its plugin for the variables in it, besides the environment. Shown nowhere. Default: none. */
  readonly variables?: Readonly<Record<string, string>>
}

export interface FoundServers {
  /** Those that may run, the user's and the approved ones of the project. A name of the project hides none of the user. */
  readonly servers: readonly ConfiguredServer[]
  /** Those of the project that the user has not approved as they are now. */
  readonly unapproved: readonly ConfiguredServer[]
  /** Those whose name another one has, with the one that counts. */
  readonly hidden: readonly HiddenServer[]
  /** Say what cannot be used, each with its file. */
  readonly notes: readonly string[]
}

/** A server that does not count, because `by` has its name. */
export interface HiddenServer {
  readonly one: ConfiguredServer
  readonly by: ConfiguredServer
}

export interface ServerSources {
  /** The user's settings file, and `mcp_servers` in it. */
  readonly own: { readonly path: string; readonly servers: Readonly<Record<string, object>> }
  readonly trust: Pick<FolderTrust, 'root' | 'approved'>
  /** The names of the project's servers that are off. Default: none. */
  readonly off?: readonly string[] | undefined
  /** The plugins that are on. Default: none. */
  readonly plugins?: readonly Plugin[] | undefined
  /** Servers that the command line names. Default: none. */
  readonly given?:
    | (Pick<GivenParts, 'servers' | 'onlyServers'> & Partial<Pick<GivenParts, 'isBare'>>)
    | undefined
}

/** Most servers of a file. */
const most = 50

/** Whether anything configures a server, so that most runs read and load nothing for them. */
export function hasServers({ own, trust, plugins = [], given }: ServerSources): boolean {
  if (given?.servers.some(({ servers }) => Object.keys(servers).length > 0) === true) return true
  const isBrought = plugins.some(({ servers }) => servers.length > 0)
  if (given?.onlyServers === true) return given.isBare === true && isBrought
  if (isBrought) return true
  return Object.keys(own.servers).length > 0 || lookThrough(projectFile(trust.root)) !== undefined
}

/** The file of a project's servers, which several agents share. */
export function projectFile(root: string): string {
  return join(root, '.mcp.json')
}

/** Reads the servers of the user and of the project. A broken entry or file costs only itself, and is named in the notes. */
export async function findToolServers(sources: ServerSources): Promise<FoundServers> {
  const { own, trust, off = [], plugins = [], given } = found(sources)
  const path = projectFile(trust.root)
  const project =
    given?.onlyServers === true ? { servers: {}, notes: [] } : await readProjectFile(path, trust.root)
  const notes = [...project.notes]
  const read = (
    servers: Readonly<Record<string, unknown>>,
    from: Pick<ConfiguredServer, 'source' | 'path' | 'variables'>,
    folder: string | undefined,
  ) =>
    Object.entries(servers)
      .slice(0, most)
      .flatMap(([name, fields]): readonly ConfiguredServer[] => {
        const result = readServer(name, fields, folder)
        const at = `${from.path}: ${JSON.stringify(name.slice(0, 64))}`
        if (result.type === 'refused') notes.push(`${at}: ${result.reason}`)
        if (result.type === 'refused' || result.value === undefined) return []
        notes.push(...result.value.notes.map((note) => `${at}: ${note}`))
        const { server } = result.value
        return [{ server, ...from, hash: hashOf(server) }]
      })
  const typed = (given?.servers ?? []).flatMap((one) =>
    read(one.servers, { source: 'user', path: one.path }, undefined),
  )
  const users = byName([...typed, ...read(own.servers, { source: 'user', path: own.path }, undefined)])
  const brought = plugins.flatMap(({ name: plugin, servers, options }) => {
    const variables = options && optionsOfServers(options)
    return servers
      .slice(0, most)
      .flatMap(({ name, path: file, fields, folder }) =>
        read(
          { [pluginServerName(plugin, name)]: fields },
          { source: 'plugin', path: file, ...omitUndefined({ variables }) },
          folder,
        ),
      )
  })
  const on = Object.entries(project.servers).filter(([name]) => !off.includes(name))
  const projects = read(Object.fromEntries(on), { source: 'project', path }, trust.root)
  const { counting, hidden } = firstOfEachName([...users, ...brought, ...projects])
  const isApproved = ({ source, hash }: ConfiguredServer) =>
    source !== 'project' || trust.approved('mcp_server', hash) === true
  return {
    servers: counting.filter(isApproved),
    unapproved: counting.filter((one) => !isApproved(one)),
    hidden,
    notes,
  }
}

function firstOfEachName(
  all: readonly ConfiguredServer[],
): Pick<FoundServers, 'hidden'> & { readonly counting: readonly ConfiguredServer[] } {
  const byName = new Map<string, ConfiguredServer>()
  const hidden = all.flatMap((one): readonly HiddenServer[] => {
    const by = byName.get(one.server.name)
    if (by === undefined) byName.set(one.server.name, one)
    return by === undefined ? [] : [{ one, by }]
  })
  return { counting: [...byName.values()], hidden }
}

/** Lists the servers that the file of an agent sets up. Their hashes approve none that runs without the agent. */
export function agentServers({
  name: agent,
  ownServers = [],
  source,
  path = '',
}: Pick<AgentDefinition, 'name' | 'ownServers' | 'source' | 'path'>): readonly ConfiguredServer[] {
  const from = source === 'user' ? source : 'project'
  return ownServers
    .slice(0, most)
    .map((server) => ({ server, source: from, path, agent, hash: contentHash(['agent', hashOf(server)]) }))
}

/** Leaves out what does not count beside the servers of the command line. */
function found(sources: ServerSources): ServerSources {
  const { own, plugins = [], given } = sources
  if (given?.onlyServers !== true) return sources
  // Without what is found, a plugin that counts is one that the command line names.
  return { ...sources, own: { ...own, servers: {} }, plugins: given.isBare === true ? plugins : [] }
}

/** Keeps the first server of each name. */
function byName(servers: readonly ConfiguredServer[]): readonly ConfiguredServer[] {
  const first = new Map<string, ConfiguredServer>()
  for (const one of servers) if (!first.has(one.server.name)) first.set(one.server.name, one)
  return [...first.values()]
}

/**
 * Returns a server with its variables in place, started in `folder` if it does not say. Refuses one whose variable is not set, or whose URL
 * is none.
 */
export function expandServer(
  { server, variables }: Pick<ConfiguredServer, 'server' | 'variables'>,
  {
    env: usual,
    folder,
  }: { readonly env: Readonly<Record<string, string | undefined>>; readonly folder: string },
): Result<ToolServer> {
  const env = { ...usual, ...variables }
  const faults: string[] = []
  const expand = (text: string): string => {
    const result = expandVariables(text, env)
    if (result.type === 'ok') return result.value
    faults.push(result.reason)
    return text
  }
  const all = (map: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(map).map(([key, value]) => [key, expand(value)]))
  const { access } = server
  const expanded: ToolServer['access'] =
    access.type === 'http'
      ? {
          ...access,
          url: expand(access.url),
          headers: all(access.headers),
          ...(access.oauth !== undefined && { oauth: expandSignIn(access.oauth, expand) }),
        }
      : atFolder({
          ...access,
          command: expand(access.command),
          args: access.args.map(expand),
          env: all(access.env),
          cwd: resolve(folder, expand(access.cwd ?? '')),
        })
  if (expanded.type === 'http' && !/^https?:$/.test(protocolOf(expanded.url)))
    faults.push('its url is not an http or https URL')
  const [fault] = faults
  return fault === undefined ? ok({ ...server, access: expanded }) : { type: 'refused', reason: fault }
}

function expandSignIn(oauth: SignInOptions, expand: (text: string) => string): SignInOptions {
  const { clientMetadataUrl, clientId, clientSecret } = oauth
  const texts = Object.entries(omitUndefined({ clientMetadataUrl, clientId, clientSecret }))
  return { ...oauth, ...Object.fromEntries(texts.map(([key, text]) => [key, expand(text)])) }
}

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : ''
}

/** A command with a slash is a path from the folder of the server, as a shell reads it. */
function atFolder(access: Extract<ToolServer['access'], { type: 'stdio' }>): ToolServer['access'] {
  const { command, cwd = '/' } = access
  return {
    ...access,
    command: command.includes('/') && !isAbsolute(command) ? resolve(cwd, command) : command,
  }
}

function hashOf({ name, access, ...rest }: ToolServer): string {
  const { only = [], except = [] } = rest
  return contentHash(['mcp_server', name, JSON.stringify(access), [...only], [...except]])
}

interface ProjectFile {
  readonly servers: JsonObject
  readonly notes: readonly string[]
}

/** Reads a project's file, with the wrapper `mcpServers` or without it. */
async function readProjectFile(path: string, root: string): Promise<ProjectFile> {
  if (lookThrough(path) === undefined) return { servers: {}, notes: [] }
  if (!holds(root, path)) return { servers: {}, notes: [`${path}: ignored: it leads out of the project`] }
  try {
    return { servers: serversIn(await readJsonWithComments(path)), notes: [] }
  } catch (error) {
    if (!isPipeError(error)) throw error
    return { servers: {}, notes: [error.message] }
  }
}

/** Returns the servers of a document, which other agents wrap in one of two names. */
export function serversIn(document: JsonValue | undefined): JsonObject {
  if (!isJsonObject(document)) return {}
  const wrapped = document['mcpServers'] ?? document['servers']
  return isJsonObject(wrapped) ? wrapped : document
}
