import { isJsonObject, type JsonObject, type JsonValue } from '../../json-value.ts'
import { emptyOffer, type ImportOffer, type PeerDocument, withoutCounterpart } from './import-offer.ts'

const known = ['mcp_servers', 'model', 'model_provider', 'projects', 'hooks']

/** Reads `config.toml` of Codex: servers and the model. */
export function offerOfCodex({ path, fields }: PeerDocument): ImportOffer {
  const { mcp_servers: servers = {}, model, model_provider: provider = 'openai', hooks = {} } = fields
  const named = typeof model === 'string' && typeof provider === 'string' ? `${provider}/${model}` : undefined
  const entries = isJsonObject(servers) ? Object.entries(servers) : []
  return {
    ...emptyOffer(path),
    servers: Object.fromEntries(entries.map(([name, entry]) => [name, readEntry(entry)])),
    hooks: isJsonObject(hooks) ? hooks : {},
    model: named,
    left: withoutCounterpart(fields, known),
  }
}

/** Spells out the variables that an entry passes on by name. */
function readEntry(entry: JsonValue): JsonValue {
  if (!isJsonObject(entry)) return entry
  const { env_vars: passed, bearer_token_env_var: bearer, env_http_headers: byName, ...rest } = entry
  const variable = (name: JsonValue) => `\${${String(name)}}`
  const env: JsonObject = Object.fromEntries(
    (Array.isArray(passed) ? passed : []).flatMap((one) =>
      typeof one === 'string' ? [[one, variable(one)]] : [],
    ),
  )
  const named = isJsonObject(byName)
    ? Object.entries(byName).map(([header, one]) => [header, variable(one)])
    : []
  const headers: JsonObject = {
    ...Object.fromEntries(named),
    ...(bearer !== undefined && { Authorization: `Bearer ${variable(bearer)}` }),
  }
  const { http_headers: given, env: own } = rest
  return {
    ...rest,
    ...(Object.keys(env).length > 0 && { env: { ...env, ...(isJsonObject(own) ? own : {}) } }),
    ...(Object.keys(headers).length > 0 && {
      http_headers: { ...(isJsonObject(given) ? given : {}), ...headers },
    }),
  }
}
