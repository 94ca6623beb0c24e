import { isJsonObject, type JsonObject, type JsonValue } from '../../json-value.ts'
import { emptyOffer, type ImportOffer, type PeerDocument, withoutCounterpart } from './import-offer.ts'

const known = ['mcp', 'model', 'permission', '$schema']

/** Its permissions in the words of our rules. */
const subjects: ReadonlyMap<string, string> = new Map([
  ['bash', 'Bash'],
  ['edit', 'Edit'],
  ['read', 'Read'],
  ['webfetch', 'WebFetch'],
])

type Behavior = 'deny' | 'ask' | 'allow'

/** Reads `opencode.json`: servers, permissions and the model. */
export function offerOfOpencode({ path, fields }: PeerDocument): ImportOffer {
  const { mcp = {}, permission = {}, model } = fields
  const entries = isJsonObject(mcp) ? Object.entries(mcp) : []
  const left = [...withoutCounterpart(fields, known)]
  const rules: Record<Behavior, string[]> = { deny: [], ask: [], allow: [] }
  const parts = isJsonObject(permission) ? Object.entries(permission) : [['*', permission] as const]
  for (const [name, value] of parts) {
    const subject = subjects.get(name)
    for (const [pattern, behavior] of isJsonObject(value) ? Object.entries(value) : [['*', value] as const]) {
      const rule = subject === undefined ? undefined : ruleOf(subject, pattern, value)
      if (rule !== undefined && isBehavior(behavior)) rules[behavior].push(rule)
      else left.push(`permission ${JSON.stringify(name)}, ${JSON.stringify(pattern)}: ${unlike}`)
    }
  }
  return {
    ...emptyOffer(path),
    servers: Object.fromEntries(entries.map(([name, entry]) => [name, readEntry(entry)])),
    rules,
    model: typeof model === 'string' ? model : undefined,
    left,
  }
}

const unlike =
  'no counterpart: here deny rules override all others, and pipe asks about calls that no rule names'

function isBehavior(value: JsonValue): value is Behavior {
  return value === 'deny' || value === 'ask' || value === 'allow'
}

/** A pattern for all that has exceptions is no rule here: ours have none. */
function ruleOf(subject: string, pattern: string, value: JsonValue): string | undefined {
  if (pattern === '*') return isJsonObject(value) && Object.keys(value).length > 1 ? undefined : subject
  return subject === 'WebFetch' ? undefined : `${subject}(${pattern})`
}

function readEntry(entry: JsonValue): JsonValue {
  if (!isJsonObject(entry)) return entry
  const { type, command, environment, timeout, oauth: _, ...rest } = entry
  const [program = '', ...args] = Array.isArray(command) ? command : [command ?? '']
  const shared: JsonObject = { ...rest, ...(timeout !== undefined && { timeout }) }
  if (type === 'remote') return withVariables(shared)
  return withVariables({
    ...shared,
    command: program,
    args,
    ...(environment !== undefined && { env: environment }),
  })
}

/** Writes `{env:NAME}` as `${NAME}`. */
function withVariables(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.replace(/\{env:(\w+)\}/g, (_, name: string) => `\${${name}}`)
  if (Array.isArray(value)) return value.map(withVariables)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withVariables(one)]))
}
