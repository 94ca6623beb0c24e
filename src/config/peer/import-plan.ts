import { isDeepStrictEqual } from 'node:util'
import { isJsonObject, type JsonObject, type JsonValue } from '../../json-value.ts'
import type { ToolServer } from '../../machine/tool-server.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { readServer } from '../mcp/server-fields.ts'
import { builtinServers } from '../models/servers.ts'
import { type SettingsAdditions, valueAt } from '../save.ts'
import { isSettings } from '../settings-check.generated.ts'
import type { ImportOffer } from './import-offer.ts'

/** One thing that the user's settings do not have yet. */
export type PlannedAddition =
  | {
      readonly type: 'server'
      readonly name: string
      readonly entry: JsonObject
      readonly server: ToolServer
    }
  | { readonly type: 'rule'; readonly behavior: 'deny' | 'ask' | 'allow'; readonly rule: string }
  | { readonly type: 'hooks'; readonly event: string; readonly group: JsonValue }
  | { readonly type: 'model'; readonly model: string }
  | { readonly type: 'status_line'; readonly command: string }
  | { readonly type: 'mode'; readonly of: 'permissions' | 'sandbox'; readonly mode: string }

/** Lists the parts taken from one file. */
export interface FilePlan {
  readonly path: string
  readonly additions: readonly PlannedAddition[]
  /** Names each part that is not taken, and why, a line each. */
  readonly left: readonly string[]
}

export interface PlanOptions {
  /** The user's settings as they are. */
  readonly document: JsonValue | undefined
  /** Takes servers alone. */
  readonly onlyServers: boolean
}

/** Compares offers with the user's settings. What is there already, or comes twice, is left out; what differs from it is named. */
export function planImport(offers: readonly ImportOffer[], options: PlanOptions): readonly FilePlan[] {
  const planner = new Planner(options.document)
  return offers.map((offer) => {
    const left: string[] = []
    const additions = [
      ...Object.entries(offer.servers).flatMap(([name, fields]) => planner.server(name, fields, left)),
      ...(options.onlyServers ? [] : planner.others(offer, left)),
    ]
    return { path: offer.path, additions, left: options.onlyServers ? left : [...left, ...offer.left] }
  })
}

/** Puts additions into the words of a settings file. */
export function additionsOf(plans: readonly FilePlan[]): SettingsAdditions {
  const all = plans.flatMap(({ additions }) => additions)
  return {
    isPrivate: all.some(({ type }) => type === 'server' || type === 'hooks' || type === 'status_line'),
    fields: all.flatMap((one): SettingsAdditions['fields'] => {
      if (one.type === 'server') return [{ field: ['mcp_servers', one.name], value: one.entry }]
      if (one.type === 'status_line') return [{ field: statusLineField, value: one.command }]
      if (one.type === 'mode') return [{ field: [one.of, 'mode'], value: one.mode }]
      return one.type === 'model' ? [{ field: ['model'], value: one.model }] : []
    }),
    lists: all.flatMap((one): SettingsAdditions['lists'] => {
      if (one.type === 'rule') return [{ field: ['permissions', one.behavior], values: [one.rule] }]
      return one.type === 'hooks' ? [{ field: ['hooks', one.event], values: [one.group] }] : []
    }),
  }
}

const statusLineField = ['tui', 'status_line']

/** Remembers what the settings have, and what was planned for them. */
class Planner {
  readonly #document: JsonValue | undefined
  readonly #servers = new Map<string, JsonValue>()
  readonly #known = new Set<string>()
  readonly #modes = new Map<string, string>()
  #hasModel: boolean
  #statusLine: JsonValue | undefined

  constructor(document: JsonValue | undefined) {
    this.#document = document
    const servers = valueAt(document, ['mcp_servers'])
    if (isJsonObject(servers))
      for (const [name, entry] of Object.entries(servers)) this.#servers.set(name, entry)
    this.#hasModel = valueAt(document, ['model']) !== undefined
    this.#statusLine = valueAt(document, statusLineField)
  }

  server(name: string, fields: JsonValue, left: string[]): readonly PlannedAddition[] {
    const at = `MCP server ${JSON.stringify(name.slice(0, 64))}`
    const read = readServer(name, fields, undefined)
    if (read.type === 'refused') left.push(`${at}: ${read.reason}`)
    else if (read.value === undefined) left.push(`${at}: it is switched off`)
    if (read.type === 'refused' || read.value === undefined) return []
    const { server, notes } = read.value
    const entry = entryOf(server)
    const there = this.#servers.get(name)
    if (there !== undefined) {
      if (!isSame(name, there, server)) left.push(`${at}: your settings already have one of this name`)
      return []
    }
    left.push(...notes.map((note) => `${at}: ${note}`))
    this.#servers.set(name, entry)
    return [{ type: 'server', name, entry, server }]
  }

  others(
    { rules, hooks, model, mode, sandbox, statusLine }: ImportOffer,
    left: string[],
  ): readonly PlannedAddition[] {
    return [
      ...(['deny', 'ask', 'allow'] as const).flatMap((behavior) =>
        rules[behavior].flatMap((rule) => this.#rule(behavior, rule)),
      ),
      ...Object.entries(hooks).flatMap(([event, groups]) => this.#hooks(event, groups, left)),
      ...this.#mode('permissions', mode, left),
      ...this.#mode('sandbox', sandbox, left),
      ...this.#model(model, left),
      ...this.#status(statusLine, left),
    ]
  }

  #mode(of: 'permissions' | 'sandbox', mode: string | undefined, left: string[]): readonly PlannedAddition[] {
    const there = this.#modes.get(of) ?? valueAt(this.#document, [of, 'mode'])
    if (mode === undefined || mode === there) return []
    if (there !== undefined) {
      left.push(`${of}.mode ${mode}: another one is chosen already`)
      return []
    }
    this.#modes.set(of, mode)
    return [{ type: 'mode', of, mode }]
  }

  #status(command: string | undefined, left: string[]): readonly PlannedAddition[] {
    if (command === undefined || command === this.#statusLine) return []
    if (this.#statusLine !== undefined) {
      left.push('statusLine: your settings already have another one')
      return []
    }
    this.#statusLine = command
    return [{ type: 'status_line', command }]
  }

  #rule(behavior: 'deny' | 'ask' | 'allow', rule: string): readonly PlannedAddition[] {
    const list = valueAt(this.#document, ['permissions', behavior])
    const there = Array.isArray(list) ? list : []
    const isThere = there.some((one) => one === rule || (isJsonObject(one) && one['rule'] === rule))
    return isThere || this.#isRepeated([behavior, rule]) ? [] : [{ type: 'rule', behavior, rule }]
  }

  #hooks(event: string, groups: JsonValue, left: string[]): readonly PlannedAddition[] {
    const list = valueAt(this.#document, ['hooks', event])
    const there = Array.isArray(list) ? list : []
    return (Array.isArray(groups) ? groups : [groups]).flatMap((group): readonly PlannedAddition[] => {
      if (!isSettings({ hooks: { [event]: [group] } })) {
        left.push(`hooks of ${JSON.stringify(event.slice(0, 40))}: they cannot be read`)
        return []
      }
      const isThere = there.some((one) => isDeepStrictEqual(one, group))
      return isThere || this.#isRepeated([event, group]) ? [] : [{ type: 'hooks', event, group }]
    })
  }

  #model(model: string | undefined, left: string[]): readonly PlannedAddition[] {
    if (model === undefined) return []
    const isThere = valueAt(this.#document, ['model']) === model
    const provider = model.split('/', 1)[0]
    if (!builtinServers.some(({ name }) => name === provider))
      left.push(`model ${JSON.stringify(model.slice(0, 80))}: no provider of this name is built in`)
    else if (!this.#hasModel) {
      this.#hasModel = true
      return [{ type: 'model', model }]
    } else if (!isThere)
      left.push(`model ${JSON.stringify(model.slice(0, 80))}: another model is chosen already`)
    return []
  }

  #isRepeated(content: JsonValue): boolean {
    const key = JSON.stringify(content)
    if (this.#known.has(key)) return true
    this.#known.add(key)
    return false
  }
}

function isSame(name: string, there: JsonValue, server: ToolServer): boolean {
  const read = readServer(name, there, undefined)
  return read.type === 'ok' && isDeepStrictEqual(read.value?.server, server)
}

/** A server in the words of our settings. */
function entryOf({ access, only, except, startMs, callMs }: ToolServer): JsonObject {
  const seconds = (ms: number | undefined) => (ms === undefined ? undefined : ms / 1000)
  const isEmpty = (map: object) => Object.keys(map).length === 0
  const limits = omitUndefined({
    enabled_tools: only && [...only],
    disabled_tools: except && [...except],
    startup_timeout_sec: seconds(startMs),
    tool_timeout_sec: seconds(callMs),
  })
  if (access.type === 'http') {
    const { url, headers, isEventStream } = access
    const type = isEventStream === true ? 'sse' : 'http'
    return { type, url, ...(!isEmpty(headers) && { headers: { ...headers } }), ...limits }
  }
  const { command, args, env, cwd } = access
  return {
    command,
    ...(args.length > 0 && { args: [...args] }),
    ...(!isEmpty(env) && { env: { ...env } }),
    ...omitUndefined({ cwd }),
    ...limits,
  }
}
