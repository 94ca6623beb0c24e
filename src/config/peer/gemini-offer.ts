import { isJsonObject, type JsonObject, type JsonValue } from '../../json-value.ts'
import { emptyOffer, type ImportOffer, type PeerDocument, withoutCounterpart } from './import-offer.ts'

const known = ['mcpServers', 'mcp', 'model', 'tools', 'coreTools', 'excludeTools', 'allowedTools', '$schema']

/** Its tools in the words of our rules. */
const tools: ReadonlyMap<string, string> = new Map([
  ['run_shell_command', 'Bash'],
  ['ShellTool', 'Bash'],
  ['read_file', 'Read'],
  ['read_many_files', 'Read'],
  ['list_directory', 'Read'],
  ['write_file', 'Edit'],
  ['replace', 'Edit'],
  ['web_fetch', 'WebFetch'],
])

/** Reads `settings.json` of Gemini: servers, rules and the model. */
export function offerOfGemini({ path, fields }: PeerDocument): ImportOffer {
  const left = [...withoutCounterpart(fields, known)]
  const { model, tools: rules } = fields
  const name = isJsonObject(model) ? model['name'] : model
  const read = (value: JsonValue | undefined, behavior: string) =>
    (Array.isArray(value) ? value : []).flatMap((entry) => {
      const rule = typeof entry === 'string' ? readEntry(entry) : undefined
      if (rule === undefined)
        left.push(`${behavior} ${JSON.stringify(entry).slice(0, 80)}: no counterpart here`)
      return rule ?? []
    })
  const listed = isJsonObject(rules) ? rules : {}
  return {
    ...emptyOffer(path),
    servers: offeredServers(fields),
    rules: {
      deny: [...read(listed['exclude'], 'exclude'), ...read(fields['excludeTools'], 'exclude')],
      ask: [],
      allow: [...read(listed['allowed'], 'allowed'), ...read(fields['allowedTools'], 'allowed')],
    },
    model: typeof name === 'string' ? `gemini/${name}` : undefined,
    left,
  }
}

/** A rule of it on commands means all that begin so. */
function readEntry(entry: string): string | undefined {
  const [, word = '', spec] = /^(\w+)(?:\((.*)\))?$/s.exec(entry) ?? []
  const tool = tools.get(word)
  if (spec === undefined || tool === undefined) return tool
  return tool === 'Bash' ? `Bash(${spec}:*)` : undefined
}

function offeredServers({ mcpServers: servers, mcp }: JsonObject): ImportOffer['servers'] {
  const excluded = isJsonObject(mcp) ? mcp['excluded'] : undefined
  const isOff = (name: string) => Array.isArray(excluded) && excluded.includes(name)
  const all = isJsonObject(servers) ? Object.entries(servers) : []
  return Object.fromEntries(
    all.filter(([name]) => !isOff(name)).map(([name, entry]) => [name, withBraces(entry)]),
  )
}

/** Writes `$NAME` as `${NAME}`. */
function withBraces(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.replace(/\$([A-Za-z_]\w*)/g, (_, name: string) => `\${${name}}`)
  if (Array.isArray(value)) return value.map(withBraces)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withBraces(one)]))
}
