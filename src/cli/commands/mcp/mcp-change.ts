import { join } from 'node:path'
import { findDirectories } from '../../../config/directories.ts'
import { projectFile, serversIn } from '../../../config/mcp/find-servers.ts'
import { readServer } from '../../../config/mcp/server-fields.ts'
import { saveSetting } from '../../../config/save.ts'
import { readJsonWithComments } from '../../../config/settings-document.ts'
import { trustRoot } from '../../../config/trust/folder-trust.ts'
import { PipeError } from '../../../error.ts'
import { isJsonObject, type JsonObject, parseJson } from '../../../json-value.ts'
import { printWarning } from '../../../terminal/output.ts'
import { visibleLine } from '../../../terminal/visible.ts'
import { usageError } from '../../flags.ts'
import { lockHolder } from '../../machine.ts'
import type { RunContext } from '../../run-context.ts'

/** A file of servers, with the field that holds them. */
interface ServerFile {
  readonly path: string
  /** Empty: the file has no wrapper. */
  readonly field: readonly string[]
  readonly servers: JsonObject
}

/** Adds a server to the user's settings or to the project. Throws `usage`, and `conflict` if there is one of this name. */
export async function addServer(name: string, words: readonly string[], context: RunContext): Promise<void> {
  const { flags } = context
  const [first = '', ...args] = words
  const isUrl = /^https?:\/\//i.test(first)
  if (isUrl && args.length > 0) throw usageError('nothing may follow a URL', 'pipe mcp --help')
  const env = pairs(flags.all('env'), /^([^=]+)=([\s\S]*)$/, '--env takes NAME=VALUE')
  const headers = pairs(flags.all('header'), /^([^:]+):\s*([\s\S]*)$/, '--header takes NAME: VALUE')
  if (isUrl && Object.keys(env).length > 0) throw usageError('--env is for a server that pipe starts')
  if (!isUrl && Object.keys(headers).length > 0) throw usageError('--header is for the URL of a server')
  const transport = flags.text('transport') ?? (isUrl ? 'http' : 'stdio')
  if (isUrl !== (transport !== 'stdio'))
    throw usageError(`--transport ${transport} takes ${isUrl ? 'a command' : 'a URL'}`, 'pipe mcp --help')
  const entry: JsonObject = isUrl
    ? { type: transport, url: first, ...(Object.keys(headers).length > 0 && { headers }) }
    : { command: first, args, ...(Object.keys(env).length > 0 && { env }) }
  await saveServer(name, entry, context)
}

/** Adds a server by its entry in a file of servers. Throws as `addServer`. */
export async function addServerJson(name: string, json: string, context: RunContext): Promise<void> {
  const entry = parseJson(json)
  if (!isJsonObject(entry)) throw usageError('the second word is not a JSON object', 'pipe mcp --help')
  await saveServer(name, entry, context)
}

async function saveServer(name: string, entry: JsonObject, context: RunContext): Promise<void> {
  const { host, flags, signal } = context
  const checked = readServer(name, entry, host.cwd)
  if (checked.type === 'refused') throw usageError(checked.reason, 'pipe mcp --help')
  for (const note of checked.value?.notes ?? []) printWarning(host, visibleLine(`${name}: ${note}`))
  const file = await openFile(context)
  if (file.servers[name] !== undefined)
    throw new PipeError(
      'conflict',
      `${file.path} already has a server ${JSON.stringify(name)}; remove it first: pipe mcp remove`,
    )
  await saveSetting(file.path, [...file.field, name], entry, lockHolder(host, signal))
  const approve = flags.text('scope') === 'project' ? '; pipe trust approves it' : ''
  host.stdout.write(`added: ${visibleLine(name)} in ${visibleLine(file.path)}${approve}\n`)
}

/** Removes a server from its file. Throws `input` if the file has none of this name. */
export async function removeServer(name: string, context: RunContext): Promise<void> {
  const { host, signal } = context
  const file = await openFile(context)
  if (file.servers[name] === undefined)
    throw new PipeError(
      'input',
      `there is no MCP server ${JSON.stringify(name)} in ${file.path}; --scope names another file`,
    )
  await saveSetting(file.path, [...file.field, name], undefined, lockHolder(host, signal))
  host.stdout.write(`removed: ${visibleLine(name)} from ${visibleLine(file.path)}\n`)
}

async function openFile({ host, flags }: RunContext): Promise<ServerFile> {
  flags.requireChoice('scope', ['user', 'project', 'local'], 'pipe mcp --help')
  if (flags.text('scope') === 'project') {
    const path = projectFile(trustRoot(host.cwd, host.home))
    const document = await readJsonWithComments(path)
    const isBare = document !== undefined && serversIn(document) === document
    const wrapper = isJsonObject(document) && isJsonObject(document['servers']) ? 'servers' : 'mcpServers'
    return { path, field: isBare ? [] : [wrapper], servers: serversIn(document) }
  }
  const path = join(findDirectories(host.env, host.home).config, 'config.json')
  const document = await readJsonWithComments(path)
  const servers = isJsonObject(document) ? document['mcp_servers'] : undefined
  return { path, field: ['mcp_servers'], servers: isJsonObject(servers) ? servers : {} }
}

function pairs(texts: readonly string[], form: RegExp, fault: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    texts.map((text) => {
      const [, key, value = ''] = form.exec(text) ?? []
      if (key === undefined) throw usageError(`${fault}, not ${JSON.stringify(text)}`)
      return [key.trim(), value]
    }),
  )
}
