import type { JsonObject } from '../../json-value.ts'
import { text } from '../../wire/json-fields.ts'

/** Whether a line only keeps account of the work of Claude Code, without words that a model or the user saw. */
export function isBookkeeping(line: JsonObject): boolean {
  const type = text(line['type'])
  if (type === 'system') return systemLines.has(text(line['subtype']))
  return lines.has(type)
}

/** Lines without words of their own. A prompt in a queue has a line of its own once it is sent. */
const lines = new Set([
  ...['agent-color', 'agent-name', 'agent-setting', 'api-request', 'api-request-blob', 'api-request-resumed'],
  ...['api-request-shape', 'artifact-autoreact-ledger', 'artifact-comment-monitor', 'atis-latch'],
  ...['attribution-snapshot', 'bridge-session', 'content-replacement', 'continued-in', 'cost-state'],
  ...['data-flow-incomplete', 'data-flow-records', 'derived-from', 'dev-mods', 'ended-by-model'],
  ...['file-history-delta', 'file-history-snapshot', 'fork-context-ref', 'frame-link', 'history-suppression'],
  ...['hybrid-organization', 'isolation-latch', 'last-prompt', 'memory-mode', 'mode', 'permission-mode'],
  ...['pr-link', 'progress', 'queue-operation', 'relocated', 'resume-head-vouch', 'session-owner', 'tag'],
  ...['tools-used', 'worktree-state'],
])

const systemLines = new Set([
  'turn_duration',
  'stop_hook_summary',
  'api_metrics',
  'file_snapshot',
  'bridge_status',
])

/** Whether an attachment tells the model, or keeps, what each session begins with: the tools, the date, the environment. */
export function isSetting(attachment: JsonObject): boolean {
  return settings.has(text(attachment['type']))
}

const settings = new Set([
  ...['agent_listing_delta', 'auto_mode', 'context_sections', 'date', 'deferred_tools_delta'],
  ...['deferred_tools_record', 'environment', 'instructions', 'mcp_instructions_delta', 'model'],
  ...['prompt_snapshot', 'remote_session_change', 'session_context', 'session_cron_carry', 'skill_listing'],
  ...['task_status', 'tool_offer_record', 'token_usage', 'total_tokens_reminder'],
])
