import { isDeepStrictEqual } from 'node:util'
import type { Layer } from '../../../config/layers.ts'
import { PipeError } from '../../../error.ts'
import { readCallbacks } from '../../../hooks/read-callbacks.ts'
import type { CallBack } from '../../../hooks/run-hook.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json-value.ts'
import type { DrivingProgram } from '../../../line/controlled/driving-program.ts'
import type { ServerProgram } from '../../../machine/server-program.ts'
import type { ServerInProgram } from '../../../machine/tool-server.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { splitRules } from '../../cli-options.ts'
import type { Flags } from '../../flags.ts'
import type { Choices, GivenFlags, GivenText } from '../../wiring/run-choices.ts'
import { serverInProgram } from '../../wiring/servers/server-in-program.ts'

/** Holds a program's choices for a conversation before it begins, besides the flags. */
export interface Begun {
  readonly choices: Partial<Choices>
  /** Say which hooks of the program never run, and what else has no effect. */
  readonly warnings: readonly string[]
  /** With the schema of the answers, if the program names one. */
  readonly flags: Flags
}

export interface InitializeOptions {
  readonly flags: Flags
  /** The choices of the flags. */
  readonly own: Pick<Choices, 'given' | 'layers'>
  readonly program: DrivingProgram
  readonly servers: ServerProgram
}

/** Fields that would let a call do something else than the program believes. */
const refused: Readonly<Record<string, string>> = {
  toolAliases:
    'calls run under the name that the model gives; deny the tool, and add an MCP server for its work',
  managedSettings: 'no settings override your own; put rules that deny in settings',
}

/** Fields that change no more than what a model or a screen is told. */
const idle = [
  ...['planModeInstructions', 'appendSubagentSystemPrompt', 'skills', 'promptSuggestions'],
  'agentProgressSummaries',
]

/** Reads the first request of a program. What it says goes before flags; an empty system prompt says nothing. Throws `usage`. */
export function readInitialize(request: JsonObject = {}, options: InitializeOptions): Begun {
  const { flags, own, program, servers } = options
  const { jsonSchema, systemPrompt, appendSystemPrompt, title } = request
  for (const [name, reason] of Object.entries(refused))
    if (isSaid(request[name])) throw new PipeError('usage', `initialize: ${name} is not there: ${reason}`)
  const { hooks, problems } = readCallbacks(request['hooks'])
  const isSchema = isJsonObject(jsonSchema) && !flags.has('json-schema')
  const without = idle.filter((name) => isSaid(request[name]))
  return {
    flags: isSchema ? flags.with('json-schema', JSON.stringify(jsonSchema)) : flags,
    warnings: [
      ...problems,
      ...(without.length === 0 ? [] : [`initialize: no effect here: ${without.join(', ')}`]),
    ],
    choices: omitUndefined({
      systemPrompt: textOf(systemPrompt),
      moreSystemPrompt: textOf(appendSystemPrompt),
      title: textOf(title),
      callbacks: hooks.length === 0 ? undefined : { hooks, call: callOf(program) },
      inProgram: { servers: serversOf(request), program: servers },
      given: givenOf(request, own.given),
      layers: layersOf(request, own.layers),
    }),
  }
}

/** Requires that a later request asks for nothing else than what is in force. Throws `usage`. */
export function requireSame(again: JsonObject, first: JsonObject = {}): void {
  if (!isDeepStrictEqual(askedOf(again), askedOf(first)))
    throw new PipeError(
      'usage',
      'the conversation has begun: initialize differs from the first line, so it is ignored',
    )
}

/** Says what of a request was taken over, as far as a program asks for that. */
export function appliedOf(request: JsonObject = {}): JsonObject {
  const { plugins, mcpServers, settings, disallowedTools } = request
  return omitUndefined({
    plugins_applied: plugins && true,
    mcp_servers_applied: mcpServers && true,
    settings_applied: settings && true,
    disallowed_tools_applied: disallowedTools && true,
  })
}

/** Leaves out what says nothing of how the conversation begins. */
function askedOf(request: JsonObject): JsonObject {
  const others = ['subtype', 'sdkMcpServerManifests', 'sdkMcpServerManifestsOrigin']
  return Object.fromEntries(
    Object.entries(request).filter(([name, value]) => !others.includes(name) && isSaid(value)),
  )
}

function isSaid(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === false || value === '') return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}

function serversOf({
  sdkMcpServers: names,
  sdkMcpServerConfigs: settings,
}: JsonObject): readonly ServerInProgram[] {
  const all = Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
  return all.map((name) => serverInProgram(name, isJsonObject(settings) ? settings[name] : undefined))
}

/** Adds what the request names to the parts of flags, behind which it counts. */
function givenOf(request: JsonObject, own: GivenFlags | undefined): GivenFlags | undefined {
  const { agents, mcpServers, settings, plugins } = request
  const given: GivenFlags = {
    servers: [
      ...(own?.servers ?? []),
      ...documentOf('mcpServers', isJsonObject(mcpServers) && { mcpServers }),
    ],
    settings: [...(own?.settings ?? []), ...documentOf('settings', settings)],
    agents: [...(own?.agents ?? []), ...documentOf('agents', agents)],
    plugins: [...(own?.plugins ?? []), ...pluginsOf(plugins)],
    onlyServers: own?.onlyServers === true,
    isBare: own?.isBare === true,
  }
  const isGiven = [given.servers, given.settings, given.agents, given.plugins].some(
    ({ length }) => length > 0,
  )
  return isGiven ? given : own
}

function documentOf(field: string, value: JsonValue | undefined): readonly GivenText[] {
  if (!isSaid(value) || value === undefined) return []
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return [{ origin: `initialize: ${field}`, text }]
}

function pluginsOf(plugins: JsonValue | undefined): GivenFlags['plugins'] {
  if (!Array.isArray(plugins)) return []
  return plugins.map((one: JsonValue) => {
    const { type, path, skipMcpDiscovery }: JsonObject = isJsonObject(one) ? one : {}
    if (type !== 'local' || typeof path !== 'string')
      throw new PipeError('usage', 'initialize: plugins takes {"type": "local", "path": "FOLDER"}')
    return { origin: `initialize: plugins ${path}`, path, hasServers: skipMcpDiscovery !== true }
  })
}

function layersOf(
  { disallowedTools: names }: JsonObject,
  own: readonly Layer[],
): readonly Layer[] | undefined {
  const deny = Array.isArray(names)
    ? names.flatMap((name) => (typeof name === 'string' ? splitRules(name) : []))
    : []
  if (deny.length === 0) return undefined
  const source = { type: 'flag', name: 'initialize: disallowedTools' } as const
  return [...own, { source, settings: { permissions: { deny } } }]
}

function callOf(program: DrivingProgram): CallBack {
  return (id, input, { signal }) => {
    const about = omitUndefined({ tool_use_id: input['tool_use_id'] })
    return program.ask({ subtype: 'hook_callback', callback_id: id, input, ...about }, signal)
  }
}

/** Joins the parts of a prompt. One of them only marks where those begin that differ between users. */
function textOf(value: JsonValue | undefined): string | undefined {
  const texts = (Array.isArray(value) ? value : [value]).filter((text) => typeof text === 'string')
  return texts.filter((text) => text.trim() !== '' && !/^__[A-Z_]+__$/.test(text)).join('\n\n') || undefined
}
