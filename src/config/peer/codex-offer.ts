import { isJsonObject, type JsonObject, type JsonValue } from '../../json-value.ts'
import { type SandboxMode, sandboxModes } from '../../machine/sandbox.ts'
import type { PermissionMode } from '../../permission.ts'
import {
  emptyOffer,
  type ImportOffer,
  type PeerDocument,
  withEffort,
  withoutCounterpart,
} from './import-offer.ts'

const known = [
  ...['mcp_servers', 'model', 'model_provider', 'projects', 'hooks'],
  ...['model_reasoning_effort', 'sandbox_mode', 'approval_policy'],
]

/** Reads `config.toml` of Codex: servers, hooks, the sandbox, and the model with its level of thinking. */
export function offerOfCodex({ path, fields }: PeerDocument): ImportOffer {
  const { mcp_servers: servers = {}, model, model_provider: provider = 'openai', hooks = {} } = fields
  const named = typeof model === 'string' && typeof provider === 'string' ? `${provider}/${model}` : undefined
  const entries = isJsonObject(servers) ? Object.entries(servers) : []
  const left = [...withoutCounterpart(fields, known)]
  const chosen = withEffort(named, ['model_reasoning_effort', fields['model_reasoning_effort']], left)
  return {
    ...emptyOffer(path),
    servers: Object.fromEntries(entries.map(([name, entry]) => [name, readEntry(entry)])),
    hooks: isJsonObject(hooks) ? hooks : {},
    model: chosen,
    mode: readApproval(fields['approval_policy'], left),
    sandbox: readSandbox(fields['sandbox_mode'], left),
    left,
  }
}

/** Reads when it asks. Only one of its answers is a mode here. */
function readApproval(policy: JsonValue | undefined, left: string[]): PermissionMode | undefined {
  if (policy === undefined) return undefined
  if (policy === 'untrusted') return 'default'
  const hint =
    policy === 'never' ? 'for a run, --permission-mode dont-ask denies what would be asked' : undefined
  left.push(`approval_policy: ${hint ?? 'no counterpart here; the modes accept-edits and auto ask less'}`)
  return undefined
}

function readSandbox(mode: JsonValue | undefined, left: string[]): SandboxMode | undefined {
  if (mode === undefined) return undefined
  const known = sandboxModes.find((one) => one === mode)
  if (known === undefined) left.push('sandbox_mode: only read-only and workspace-write are imported')
  return known
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
