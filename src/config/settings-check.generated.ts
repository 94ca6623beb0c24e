import { isJsonObject } from '../json-value.ts'
import { hasOnly, isText, matches, isRecordOf, hasLength, isListOf, isAtLeast, isAbove, isAddress } from '../wire/json-check.ts'
import { haveKindsOfIds } from './actors.ts'
import type { Settings } from './settings-schema.ts'

// Written by scripts/generate-checks.js from settings-schema.ts. Accepts exactly what its schemas accept.

export function isSettings(value: unknown): value is Settings {
  return hasSettingsFields(value)
}

function hasSettingsFields(value: unknown): boolean {
  return isJsonObject(value) && hasOnly(value, ["model","routes","fallback","prefer","compaction","local","system_prompt","redact_sessions","elves","skills","plugins","actor","actors","tools","memory","recall","audit","stdin","permissions","sandbox","bash","fetch","tasks","tui","markdown","mcp_servers","hooks","lsp","formatters","worktree","serve","ca_file","providers","models"]) && (value['model'] === undefined || isText(value['model'], 1)) && (value['routes'] === undefined || isRecordOf(value['routes'], (one) => matches(one, /^[a-z0-9][a-z0-9._-]*$/i), (one) => (matches(one, /^[^\s/]+\/\S+$/) || isListOf(one, (one) => matches(one, /^[^\s/]+\/\S+$/)) && hasLength(one, 1)))) && (value['fallback'] === undefined || isListOf(value['fallback'], (one) => matches(one, /^[^\s/]+\/\S+$/))) && (value['prefer'] === undefined || (value['prefer'] === "order" || value['prefer'] === "cost" || value['prefer'] === "latency")) && (value['compaction'] === undefined || hasCompactionFields(value['compaction'])) && (value['local'] === undefined || typeof value['local'] === 'boolean') && (value['system_prompt'] === undefined || typeof value['system_prompt'] === 'string') && (value['redact_sessions'] === undefined || typeof value['redact_sessions'] === 'boolean') && (value['elves'] === undefined || typeof value['elves'] === 'boolean') && (value['skills'] === undefined || typeof value['skills'] === 'boolean') && (value['plugins'] === undefined || typeof value['plugins'] === 'boolean') && (value['actor'] === undefined || matches(value['actor'], /^user_[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/)) && (value['actors'] === undefined || isRecordOf(value['actors'], (one) => typeof one === 'string', hasActorsFields) && haveKindsOfIds(value['actors'])) && (value['tools'] === undefined || hasToolsFields(value['tools'])) && (value['memory'] === undefined || hasMemoryFields(value['memory'])) && (value['recall'] === undefined || (typeof value['recall'] === 'boolean' || value['recall'] === "all")) && (value['audit'] === undefined || (value['audit'] === "off" || value['audit'] === "metadata" || value['audit'] === "full" || value['audit'] === "thoughts")) && (value['stdin'] === undefined || (value['stdin'] === "data" || value['stdin'] === "prompt" || value['stdin'] === "none")) && (value['permissions'] === undefined || hasPermissionsFields(value['permissions'])) && (value['sandbox'] === undefined || hasSandboxFields(value['sandbox'])) && (value['bash'] === undefined || hasBashFields(value['bash'])) && (value['fetch'] === undefined || hasFetchFields(value['fetch'])) && (value['tasks'] === undefined || hasTasksFields(value['tasks'])) && (value['tui'] === undefined || hasTuiFields(value['tui'])) && (value['markdown'] === undefined || typeof value['markdown'] === 'boolean') && (value['mcp_servers'] === undefined || isRecordOf(value['mcp_servers'], (one) => typeof one === 'string', hasMcpServersFields)) && (value['hooks'] === undefined || isRecordOf(value['hooks'], (one) => typeof one === 'string', (one) => isListOf(one, hasHooksFields))) && (value['lsp'] === undefined || (value['lsp'] === false || isRecordOf(value['lsp'], (one) => matches(one, /^[a-z0-9][a-z0-9._-]*$/i), hasLsp2Fields))) && (value['formatters'] === undefined || isRecordOf(value['formatters'], (one) => matches(one, /^\.[\w+-]{1,20}$/), (one) => isListOf(one, (one) => isText(one, 1)) && hasLength(one, 1))) && (value['worktree'] === undefined || hasWorktreeFields(value['worktree'])) && (value['serve'] === undefined || hasServeFields(value['serve'])) && (value['ca_file'] === undefined || matches(value['ca_file'], /^(\/|~\/)./)) && (value['providers'] === undefined || isRecordOf(value['providers'], (one) => matches(one, /^[a-z0-9][a-z0-9._-]*$/i), hasProvidersFields)) && (value['models'] === undefined || isRecordOf(value['models'], (one) => matches(one, /^[^\s/]+\/\S+$/), hasModelsFields))
}

function hasCompactionFields(value: unknown): boolean {
  return isJsonObject(value) && hasOnly(value, ["auto"]) && (value['auto'] === undefined || typeof value['auto'] === 'boolean')
}

function hasActorsFields(value: unknown): boolean {
  return isJsonObject(value) && hasOnly(value, ["kind","display_name","capabilities","default_agent_id"]) && (value['kind'] === undefined || (value['kind'] === "human" || value['kind'] === "agent")) && (value['display_name'] === undefined || isText(value['display_name'], 1)) && (value['capabilities'] === undefined || isListOf(value['capabilities'], (one) => (one === "tool_read_file" || one === "tool_edit_file" || one === "tool_run_command" || one === "tool_fetch_url" || one === "run_latex_build" || one === "read_assets" || one === "create_task"))) && (value['default_agent_id'] === undefined || matches(value['default_agent_id'], /^agent_[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/))
}

function hasToolsFields(value: unknown): boolean {
  return isJsonObject(value) && hasOnly(value, ["task"]) && (value['task'] === undefined || typeof value['task'] === 'boolean')
}

function hasMemoryFields(value: unknown): boolean {
  return isJsonObject(value) && hasOnly(value, ["enabled","budget","tool","store"]) && (value['enabled'] === undefined || typeof value['enabled'] === 'boolean') && (value['budget'] === undefined || Number.isSafeInteger(value['budget']) && isAtLeast(value['budget'], 0)) && (value['tool'] === undefined || typeof value['tool'] === 'boolean') && (value['store'] === undefined || (value['store'] === "file" || matches(value['store'], /^postgres(ql)?:\/\/\S+$/)))
}

function hasPermissionsFields(value: unknown): boolean {
  return isJsonObject(value) && hasOnly(value, ["mode","allow","ask","deny"]) && (value['mode'] === undefined || (value['mode'] === "plan" || value['mode'] === "default" || value['mode'] === "accept-edits" || value['mode'] === "auto" || value['mode'] === "bypass")) && (value['allow'] === undefined || isListOf(value['allow'], (one) => (isText(one, 1) || hasAllow2Fields(one)))) && (value['ask'] === undefined || isListOf(value['ask'], (one) => (isText(one, 1) || hasAllow2Fields(one)))) && (value['deny'] === undefined || isListOf(value['deny'], (one) => (isText(one, 1) || hasAllow2Fields(one))))
}

function hasAllow2Fields(value: unknown): boolean {
  return isJsonObject(value) && hasOnly(value, ["rule","match","not_match"]) && isText(value['rule'], 1) && (value['match'] === undefined || isListOf(value['match'], (one) => typeof one === 'string')) && (value['not_match'] === undefined || isListOf(value['not_match'], (one) => typeof one === 'string'))
}

function hasSandboxFields(value: unknown): boolean {
  return isJsonObject(value) && hasOnly(value, ["mode","network","writable"]) && (value['mode'] === undefined || (value['mode'] === "read-only" || value['mode'] === "workspace-write" || value['mode'] === "off")) && (value['network'] === undefined || typeof value['network'] === 'boolean') && (value['writable'] === undefined || isListOf(value['writable'], (one) => matches(one, /^(\/|~\/|~$)/)))
}

function hasBashFields(value: unknown): boolean {
  return isJsonObject(value) && hasOnly(value, ["env_drop","env_keep"]) && (value['env_drop'] === undefined || isListOf(value['env_drop'], (one) => isText(one, 1))) && (value['env_keep'] === undefined || isListOf(value['env_keep'], (one) => isText(one, 1)))
}

function hasFetchFields(value: unknown): boolean {
  return isJsonObject(value) && hasOnly(value, ["allow_private"]) && (value['allow_private'] === undefined || isListOf(value['allow_private'], (one) => isText(one, 1)))
}

function hasTasksFields(value: unknown): boolean {
  return isJsonObject(value) && hasOnly(value, ["store"]) && (value['store'] === undefined || matches(value['store'], /^postgres(ql)?:\/\/\S+$/))
}

function hasTuiFields(value: unknown): boolean {
  return isJsonObject(value) && hasOnly(value, ["theme","notify","cursor","clipboard_read","status_line","editor","keys"]) && (value['theme'] === undefined || (value['theme'] === "auto" || value['theme'] === "dark" || value['theme'] === "light" || value['theme'] === "ansi" || value['theme'] === "none")) && (value['notify'] === undefined || (value['notify'] === "auto" || value['notify'] === "bell" || value['notify'] === "off")) && (value['cursor'] === undefined || typeof value['cursor'] === 'boolean') && (value['clipboard_read'] === undefined || typeof value['clipboard_read'] === 'boolean') && (value['status_line'] === undefined || isText(value['status_line'], 1)) && (value['editor'] === undefined || (value['editor'] === "emacs" || value['editor'] === "vim")) && (value['keys'] === undefined || isRecordOf(value['keys'], (one) => typeof one === 'string', (one) => (typeof one === 'string' || isListOf(one, (one) => typeof one === 'string'))))
}

function hasMcpServersFields(value: unknown): boolean {
  return isJsonObject(value) && hasOnly(value, ["type","command","args","env","cwd","url","headers","oauth","enabled","enabled_tools","disabled_tools","startup_timeout_sec","tool_timeout_sec"]) && (value['type'] === undefined || (value['type'] === "stdio" || value['type'] === "http" || value['type'] === "sse")) && (value['command'] === undefined || isText(value['command'], 1)) && (value['args'] === undefined || isListOf(value['args'], (one) => typeof one === 'string')) && (value['env'] === undefined || isRecordOf(value['env'], (one) => typeof one === 'string', (one) => typeof one === 'string')) && (value['cwd'] === undefined || isText(value['cwd'], 1)) && (value['url'] === undefined || isText(value['url'], 1)) && (value['headers'] === undefined || isRecordOf(value['headers'], (one) => typeof one === 'string', (one) => typeof one === 'string')) && (value['oauth'] === undefined || hasOauthFields(value['oauth'])) && (value['enabled'] === undefined || typeof value['enabled'] === 'boolean') && (value['enabled_tools'] === undefined || isListOf(value['enabled_tools'], (one) => typeof one === 'string')) && (value['disabled_tools'] === undefined || isListOf(value['disabled_tools'], (one) => typeof one === 'string')) && (value['startup_timeout_sec'] === undefined || Number.isFinite(value['startup_timeout_sec']) && isAbove(value['startup_timeout_sec'], 0)) && (value['tool_timeout_sec'] === undefined || Number.isFinite(value['tool_timeout_sec']) && isAbove(value['tool_timeout_sec'], 0))
}

function hasOauthFields(value: unknown): boolean {
  return isJsonObject(value) && hasOnly(value, ["client_metadata_url","client_id","client_secret","callback_port","scopes"]) && (value['client_metadata_url'] === undefined || isText(value['client_metadata_url'], 1)) && (value['client_id'] === undefined || isText(value['client_id'], 1)) && (value['client_secret'] === undefined || isText(value['client_secret'], 1)) && (value['callback_port'] === undefined || Number.isSafeInteger(value['callback_port']) && isAbove(value['callback_port'], 0)) && (value['scopes'] === undefined || isListOf(value['scopes'], (one) => typeof one === 'string'))
}

function hasHooksFields(value: unknown): boolean {
  return isJsonObject(value) && (value['matcher'] === undefined || typeof value['matcher'] === 'string') && isListOf(value['hooks'], hasHooksFields2)
}

function hasHooksFields2(value: unknown): boolean {
  return isJsonObject(value) && isText(value['type'], 1) && (value['command'] === undefined || isText(value['command'], 1)) && (value['args'] === undefined || isListOf(value['args'], (one) => typeof one === 'string')) && (value['url'] === undefined || isText(value['url'], 1)) && (value['headers'] === undefined || isRecordOf(value['headers'], (one) => typeof one === 'string', (one) => typeof one === 'string')) && (value['allowedEnvVars'] === undefined || isListOf(value['allowedEnvVars'], (one) => typeof one === 'string')) && (value['prompt'] === undefined || isText(value['prompt'], 1)) && (value['model'] === undefined || isText(value['model'], 1)) && (value['if'] === undefined || isText(value['if'], 1)) && (value['statusMessage'] === undefined || typeof value['statusMessage'] === 'string') && (value['timeout'] === undefined || Number.isFinite(value['timeout']) && isAbove(value['timeout'], 0)) && (value['once'] === undefined || typeof value['once'] === 'boolean') && (value['async'] === undefined || typeof value['async'] === 'boolean') && (value['onFailure'] === undefined || (value['onFailure'] === "continue" || value['onFailure'] === "block"))
}

function hasLsp2Fields(value: unknown): boolean {
  return isJsonObject(value) && hasOnly(value, ["command","extensions","language_id","initialization_options","disabled"]) && (value['command'] === undefined || isListOf(value['command'], (one) => isText(one, 1)) && hasLength(value['command'], 1)) && (value['extensions'] === undefined || isListOf(value['extensions'], (one) => matches(one, /^\.[\w+-]{1,20}$/)) && hasLength(value['extensions'], 1)) && (value['language_id'] === undefined || isText(value['language_id'], 1)) && (value['initialization_options'] === undefined || isRecordOf(value['initialization_options'], (one) => typeof one === 'string', (one) => one !== undefined)) && (value['disabled'] === undefined || typeof value['disabled'] === 'boolean')
}

function hasWorktreeFields(value: unknown): boolean {
  return isJsonObject(value) && hasOnly(value, ["setup"]) && (value['setup'] === undefined || isText(value['setup'], 1))
}

function hasServeFields(value: unknown): boolean {
  return isJsonObject(value) && hasOnly(value, ["hosts","origins","watchers"]) && (value['hosts'] === undefined || isListOf(value['hosts'], (one) => matches(one, /^(\[[\da-f:]+\]|[\w.-]+)(:\d{1,5})?$/i))) && (value['origins'] === undefined || isListOf(value['origins'], (one) => matches(one, /^https?:\/\/[^\s/]+$/))) && (value['watchers'] === undefined || Number.isSafeInteger(value['watchers']) && isAbove(value['watchers'], 0))
}

function hasProvidersFields(value: unknown): boolean {
  return isJsonObject(value) && hasOnly(value, ["dialect","base_url","api_key_env","headers","models","quirks"]) && (value['dialect'] === undefined || (value['dialect'] === "anthropic" || value['dialect'] === "openai-chat" || value['dialect'] === "openai-responses" || value['dialect'] === "gemini" || value['dialect'] === "ollama")) && (value['base_url'] === undefined || isAddress(value['base_url'], /^https?$/)) && (value['api_key_env'] === undefined || isText(value['api_key_env'], 1)) && (value['headers'] === undefined || isRecordOf(value['headers'], (one) => typeof one === 'string', (one) => typeof one === 'string')) && (value['models'] === undefined || isListOf(value['models'], (one) => typeof one === 'string')) && (value['quirks'] === undefined || hasQuirksFields(value['quirks']))
}

function hasQuirksFields(value: unknown): boolean {
  return isJsonObject(value) && hasOnly(value, ["max_tokens_field","stream_options","key_header","system_role","call_id_length","reasoning_effort","tool_choice_required","temperature_with_thinking","reasoning_content","user_after_tool","schema_beside_tools","think_tags"]) && (value['max_tokens_field'] === undefined || (value['max_tokens_field'] === "max_tokens" || value['max_tokens_field'] === "max_completion_tokens")) && (value['stream_options'] === undefined || typeof value['stream_options'] === 'boolean') && (value['key_header'] === undefined || isText(value['key_header'], 1)) && (value['system_role'] === undefined || (value['system_role'] === "system" || value['system_role'] === "developer")) && (value['call_id_length'] === undefined || Number.isSafeInteger(value['call_id_length']) && isAbove(value['call_id_length'], 0)) && (value['reasoning_effort'] === undefined || isRecordOf(value['reasoning_effort'], (one) => (one === "off" || one === "minimal" || one === "low" || one === "medium" || one === "high" || one === "xhigh"), (one) => typeof one === 'string')) && (value['tool_choice_required'] === undefined || isText(value['tool_choice_required'], 1)) && (value['temperature_with_thinking'] === undefined || typeof value['temperature_with_thinking'] === 'boolean') && (value['reasoning_content'] === undefined || typeof value['reasoning_content'] === 'boolean') && (value['user_after_tool'] === undefined || typeof value['user_after_tool'] === 'boolean') && (value['schema_beside_tools'] === undefined || typeof value['schema_beside_tools'] === 'boolean') && (value['think_tags'] === undefined || (value['think_tags'] === "both" || value['think_tags'] === "closing" || value['think_tags'] === "none"))
}

function hasModelsFields(value: unknown): boolean {
  return isJsonObject(value) && hasOnly(value, ["context_window","max_output","images","documents","tools","thinking","price"]) && (value['context_window'] === undefined || Number.isSafeInteger(value['context_window']) && isAbove(value['context_window'], 0)) && (value['max_output'] === undefined || Number.isSafeInteger(value['max_output']) && isAbove(value['max_output'], 0)) && (value['images'] === undefined || typeof value['images'] === 'boolean') && (value['documents'] === undefined || typeof value['documents'] === 'boolean') && (value['tools'] === undefined || typeof value['tools'] === 'boolean') && (value['thinking'] === undefined || ((value['thinking'] === "none" || value['thinking'] === "fixed" || value['thinking'] === "effort" || value['thinking'] === "budget") || hasThinking2Fields(value['thinking']) || hasThinking3Fields(value['thinking']) || hasThinking4Fields(value['thinking']))) && (value['price'] === undefined || hasPriceFields(value['price']))
}

function hasThinking2Fields(value: unknown): boolean {
  return isJsonObject(value) && hasOnly(value, ["type"]) && (value['type'] === "none" || value['type'] === "fixed")
}

function hasThinking3Fields(value: unknown): boolean {
  return isJsonObject(value) && hasOnly(value, ["type","levels"]) && value['type'] === "effort" && (value['levels'] === undefined || isListOf(value['levels'], (one) => (one === "off" || one === "minimal" || one === "low" || one === "medium" || one === "high" || one === "xhigh")) && hasLength(value['levels'], 1))
}

function hasThinking4Fields(value: unknown): boolean {
  return isJsonObject(value) && hasOnly(value, ["type","min","max","optional"]) && value['type'] === "budget" && (value['min'] === undefined || Number.isSafeInteger(value['min']) && isAtLeast(value['min'], 0)) && (value['max'] === undefined || Number.isSafeInteger(value['max']) && isAbove(value['max'], 0)) && (value['optional'] === undefined || typeof value['optional'] === 'boolean')
}

function hasPriceFields(value: unknown): boolean {
  return isJsonObject(value) && hasOnly(value, ["input","output","cache_read","cache_write","long"]) && Number.isFinite(value['input']) && isAtLeast(value['input'], 0) && Number.isFinite(value['output']) && isAtLeast(value['output'], 0) && (value['cache_read'] === undefined || Number.isFinite(value['cache_read']) && isAtLeast(value['cache_read'], 0)) && (value['cache_write'] === undefined || Number.isFinite(value['cache_write']) && isAtLeast(value['cache_write'], 0)) && (value['long'] === undefined || hasLongFields(value['long']))
}

function hasLongFields(value: unknown): boolean {
  return isJsonObject(value) && hasOnly(value, ["above","input","output","cache_read","cache_write"]) && Number.isSafeInteger(value['above']) && isAbove(value['above'], 0) && Number.isFinite(value['input']) && isAtLeast(value['input'], 0) && Number.isFinite(value['output']) && isAtLeast(value['output'], 0) && (value['cache_read'] === undefined || Number.isFinite(value['cache_read']) && isAtLeast(value['cache_read'], 0)) && (value['cache_write'] === undefined || Number.isFinite(value['cache_write']) && isAtLeast(value['cache_write'], 0))
}
