import { isJsonObject, type JsonObject, type JsonValue } from '../../json-value.ts'
import { ok, type Result, refused } from '../../machine/result.ts'
import type { LocalToolServer, RemoteToolServer, ToolServer } from '../../machine/tool-server.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { readSignInOptions, unknownSignInFields } from './sign-in-fields.ts'

/** An entry of a file as it is written. Its texts may hold `${NAME}`. */
export interface ReadServer {
  readonly server: ToolServer
  /** Name the fields that have no effect. */
  readonly notes: readonly string[]
}

/** The fields with an effect, under our name and the names that other agents give them. */
const known = new Set([
  ...['type', 'transport', 'command', 'args', 'env', 'cwd', 'url', 'httpUrl', 'serverUrl'],
  ...['headers', 'http_headers', 'timeout', 'startup_timeout_sec', 'tool_timeout_sec'],
  ...['enabled', 'disabled', 'enabled_tools', 'includeTools', 'disabled_tools', 'excludeTools'],
  'description',
])

/** Reads an entry, in the words of any agent. `folder` is where it starts if it does not say. Returns `undefined` for one that is off. */
export function readServer(
  name: string,
  fields: unknown,
  folder: string | undefined,
): Result<ReadServer | undefined> {
  if (!/^[^\p{C}\p{Zl}\p{Zp}]{1,64}$/u.test(name)) return refused('a name has at most 64 visible characters')
  if (!isJsonObject(fields)) return refused('expected an object')
  if (fields['enabled'] === false || fields['disabled'] === true) return ok(undefined)
  const access = readAccess(fields, folder)
  if (access.type === 'refused') return access
  const lists = [
    readTexts(fields, 'enabled_tools', 'includeTools'),
    readTexts(fields, 'disabled_tools', 'excludeTools'),
  ] as const
  const fault = lists.find((one) => one.type === 'refused')
  if (fault !== undefined) return fault
  const [only, except] = lists.map((one) => (one.type === 'ok' ? one.value : undefined))
  const unknown = [
    ...Object.keys(fields).filter(
      (field) => !known.has(field) && !(field === 'oauth' && access.value.type === 'http'),
    ),
    ...unknownSignInFields(fields['oauth']).map((field) => `oauth.${field}`),
  ]
  const times = omitUndefined({ startMs: secondsIn(fields, 'startup_timeout_sec'), callMs: callMsIn(fields) })
  return ok({
    server: { name, access: access.value, ...omitUndefined({ only, except }), ...times },
    notes: unknown
      .slice(0, 10)
      .map((field) => `ignored the unknown field ${JSON.stringify(field.slice(0, 40))}`),
  })
}

function readAccess(
  fields: JsonObject,
  folder: string | undefined,
): Result<LocalToolServer | RemoteToolServer> {
  const { command, cwd } = fields
  const url = fields['url'] ?? fields['httpUrl'] ?? fields['serverUrl']
  const kind = fields['type'] ?? fields['transport']
  if (url !== undefined) {
    if (typeof url !== 'string' || url === '') return refused('url takes an http or https URL')
    const headers = readMap(fields['headers'] ?? fields['http_headers'], 'headers')
    if (headers.type === 'refused') return headers
    const oauth = readSignInOptions(fields['oauth'])
    if (oauth.type === 'refused') return oauth
    return ok({
      type: 'http',
      url,
      ...(kind === 'sse' && { isEventStream: true }),
      headers: headers.value,
      ...omitUndefined({ oauth: oauth.value }),
    })
  }
  if (typeof command !== 'string' || command.trim() === '')
    return refused('it has neither a command nor a url')
  const args = readTexts(fields, 'args')
  if (args.type === 'refused') return args
  const env = readMap(fields['env'], 'env')
  if (env.type === 'refused') return env
  const at = typeof cwd === 'string' && cwd !== '' ? cwd : folder
  return ok({ type: 'stdio', command, args: args.value ?? [], env: env.value, ...omitUndefined({ cwd: at }) })
}

function readTexts(fields: JsonObject, ...names: readonly string[]): Result<readonly string[] | undefined> {
  const name = names.find((one) => fields[one] !== undefined)
  const value = name === undefined ? undefined : fields[name]
  if (value === undefined) return ok(undefined)
  const texts = Array.isArray(value) ? value.filter((one) => typeof one === 'string') : undefined
  if (!Array.isArray(value) || texts?.length !== value.length) return refused(`${name} takes a list of texts`)
  return ok(texts)
}

/** Reads a map of texts. Numbers and switches are texts too, as authors write `"PORT": 80`. */
function readMap(value: JsonValue | undefined, name: string): Result<Readonly<Record<string, string>>> {
  if (value === undefined) return ok({})
  const entries = isJsonObject(value) ? Object.entries(value) : []
  const isText = ([, one]: [string, JsonValue]) => ['string', 'number', 'boolean'].includes(typeof one)
  if (!isJsonObject(value) || !entries.every(isText)) return refused(`${name} takes an object of texts`)
  return ok(Object.fromEntries(entries.map(([key, one]) => [key, String(one)])))
}

function secondsIn(fields: JsonObject, name: string): number | undefined {
  const value = fields[name]
  return typeof value === 'number' && value > 0 && value <= 86_400 ? value * 1_000 : undefined
}

/** `timeout` is in milliseconds, as other agents have it. */
function callMsIn(fields: JsonObject): number | undefined {
  const { timeout } = fields
  const ms = typeof timeout === 'number' && timeout > 0 && timeout <= 86_400_000 ? timeout : undefined
  return secondsIn(fields, 'tool_timeout_sec') ?? ms
}
