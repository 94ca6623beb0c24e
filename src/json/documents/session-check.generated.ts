import { isJsonObject } from '../../json-value.ts'
import { isListOf, isPresent, matches, isAtLeast, isTexts } from '../../wire/json-check.ts'
import { hasBytes } from '../sessions/blobs.ts'
import type { DiskMessage, DiskEnvelope } from './schema.ts'

// Written by scripts/generate-checks.js from schema.ts. Accepts exactly what its schemas accept.

export function isDiskMessage(value: unknown): value is DiskMessage {
  return hasDiskMessageFields(value)
}

export function isDiskEnvelope(value: unknown): value is DiskEnvelope {
  return hasDiskEnvelopeFields(value)
}

function hasDiskMessageFields(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  switch (value['type']) {
    case "user": return hasDiskMessageUserFields(value)
    case "assistant": return hasDiskMessageAssistantFields(value)
    case "tool_result": return hasDiskMessageToolResultFields(value)
    default: return false
  }
}

function hasDiskMessageUserFields(value: unknown): boolean {
  return isJsonObject(value) && value['type'] === "user" && (value['id'] === undefined || typeof value['id'] === 'string') && (value['parent_id'] === undefined || typeof value['parent_id'] === 'string') && isListOf(value['content'], hasContentFields) && typeof value['timestamp'] === 'string' && (value['metadata'] === undefined || isTexts(value['metadata'])) && (value['provider_data'] === undefined || hasProviderDataFields(value['provider_data']))
}

function hasContentFields(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  switch (value['type']) {
    case "text": return hasContentTextFields(value)
    case "thinking": return hasContentThinkingFields(value)
    case "image": return hasContentImageFields(value)
    case "document": return hasContentDocumentFields(value)
    case "tool_call": return hasContentToolCallFields(value)
    default: return false
  }
}

function hasContentTextFields(value: unknown): boolean {
  return isJsonObject(value) && value['type'] === "text" && typeof value['text'] === 'string' && (value['provider_data'] === undefined || hasProviderDataFields(value['provider_data']))
}

function hasProviderDataFields(value: unknown): boolean {
  return isJsonObject(value) && typeof value['provider'] === 'string' && isPresent(value['data'])
}

function hasContentThinkingFields(value: unknown): boolean {
  return isJsonObject(value) && value['type'] === "thinking" && typeof value['thinking'] === 'string' && (value['signature'] === undefined || typeof value['signature'] === 'string') && (value['redacted'] === undefined || typeof value['redacted'] === 'boolean') && (value['provider_data'] === undefined || hasProviderDataFields(value['provider_data']))
}

function hasContentImageFields(value: unknown): boolean {
  return isJsonObject(value) && value['type'] === "image" && typeof value['mime_type'] === 'string' && (value['data'] === undefined || typeof value['data'] === 'string') && (value['blob'] === undefined || hasBlobFields(value['blob'])) && (value['provider_data'] === undefined || hasProviderDataFields(value['provider_data'])) && hasBytes(value)
}

function hasBlobFields(value: unknown): boolean {
  return isJsonObject(value) && matches(value['sha256'], /^[0-9a-f]{64}$/) && Number.isSafeInteger(value['size']) && isAtLeast(value['size'], 0)
}

function hasContentDocumentFields(value: unknown): boolean {
  return isJsonObject(value) && value['type'] === "document" && typeof value['mime_type'] === 'string' && (value['data'] === undefined || typeof value['data'] === 'string') && (value['blob'] === undefined || hasBlobFields(value['blob'])) && (value['name'] === undefined || typeof value['name'] === 'string') && (value['provider_data'] === undefined || hasProviderDataFields(value['provider_data'])) && hasBytes(value)
}

function hasContentToolCallFields(value: unknown): boolean {
  return isJsonObject(value) && value['type'] === "tool_call" && typeof value['id'] === 'string' && typeof value['name'] === 'string' && isPresent(value['arguments']) && (value['arguments_raw'] === undefined || typeof value['arguments_raw'] === 'string') && (value['provider_data'] === undefined || hasProviderDataFields(value['provider_data']))
}

function hasDiskMessageAssistantFields(value: unknown): boolean {
  return isJsonObject(value) && value['type'] === "assistant" && (value['id'] === undefined || typeof value['id'] === 'string') && (value['parent_id'] === undefined || typeof value['parent_id'] === 'string') && isListOf(value['content'], hasContentFields) && typeof value['timestamp'] === 'string' && (value['metadata'] === undefined || isTexts(value['metadata'])) && (value['provider_data'] === undefined || hasProviderDataFields(value['provider_data'])) && (value['provider'] === undefined || typeof value['provider'] === 'string') && (value['model'] === undefined || typeof value['model'] === 'string') && typeof value['stop_reason'] === 'string' && (value['raw_stop_reason'] === undefined || typeof value['raw_stop_reason'] === 'string') && hasUsageFields(value['usage']) && (value['response_id'] === undefined || typeof value['response_id'] === 'string') && (value['request_id'] === undefined || typeof value['request_id'] === 'string')
}

function hasUsageFields(value: unknown): boolean {
  return isJsonObject(value) && Number.isFinite(value['input_tokens']) && Number.isFinite(value['output_tokens']) && (value['cache_read_tokens'] === undefined || Number.isFinite(value['cache_read_tokens'])) && (value['cache_write_tokens'] === undefined || Number.isFinite(value['cache_write_tokens'])) && (value['reasoning_tokens'] === undefined || Number.isFinite(value['reasoning_tokens'])) && (value['raw'] === undefined || isPresent(value['raw']))
}

function hasDiskMessageToolResultFields(value: unknown): boolean {
  return isJsonObject(value) && value['type'] === "tool_result" && typeof value['tool_call_id'] === 'string' && typeof value['tool_name'] === 'string' && (value['id'] === undefined || typeof value['id'] === 'string') && (value['parent_id'] === undefined || typeof value['parent_id'] === 'string') && isListOf(value['content'], hasContentFields) && typeof value['timestamp'] === 'string' && (value['metadata'] === undefined || isTexts(value['metadata'])) && (value['provider_data'] === undefined || hasProviderDataFields(value['provider_data'])) && typeof value['is_error'] === 'boolean' && (value['details'] === undefined || isPresent(value['details']))
}

function hasDiskEnvelopeFields(value: unknown): boolean {
  return isJsonObject(value) && (value['system_prompt'] === undefined || typeof value['system_prompt'] === 'string') && (value['created_at'] === undefined || typeof value['created_at'] === 'string') && (value['updated_at'] === undefined || typeof value['updated_at'] === 'string') && (value['cwd'] === undefined || typeof value['cwd'] === 'string') && (value['parent_session_id'] === undefined || typeof value['parent_session_id'] === 'string') && (value['parent_call_id'] === undefined || typeof value['parent_call_id'] === 'string') && (value['title'] === undefined || typeof value['title'] === 'string') && (value['head'] === undefined || typeof value['head'] === 'string') && (value['model'] === undefined || typeof value['model'] === 'string') && (value['usage'] === undefined || hasUsageFields(value['usage'])) && (value['cost_usd'] === undefined || Number.isFinite(value['cost_usd'])) && (value['last_turn'] === undefined || hasLastTurnFields(value['last_turn'])) && (value['pending'] === undefined || isListOf(value['pending'], hasPendingFields)) && (value['moved_to'] === undefined || typeof value['moved_to'] === 'string')
}

function hasLastTurnFields(value: unknown): boolean {
  return isJsonObject(value) && typeof value['after'] === 'string' && (value['outcome'] === "done" || value['outcome'] === "failed")
}

function hasPendingFields(value: unknown): boolean {
  return isJsonObject(value) && typeof value['call_id'] === 'string' && hasInteractionFields(value['interaction']) && typeof value['subject'] === 'string' && (value['child_session_id'] === undefined || typeof value['child_session_id'] === 'string') && (value['child_name'] === undefined || typeof value['child_name'] === 'string') && (value['response'] === undefined || hasResponseFields(value['response']))
}

function hasInteractionFields(value: unknown): boolean {
  return isJsonObject(value) && typeof value['id'] === 'string' && (value['kind'] === "select" || value['kind'] === "confirm" || value['kind'] === "input" || value['kind'] === "composite") && (value['purpose'] === "choose_strategy" || value['purpose'] === "request_info" || value['purpose'] === "confirm_risky_action" || value['purpose'] === "assign_subtask" || value['purpose'] === "generic") && hasDisplayFields(value['display']) && (value['options'] === undefined || isListOf(value['options'], hasOptionsFields)) && (value['withheld'] === undefined || isListOf(value['withheld'], hasWithheldFields)) && (value['validation'] === undefined || hasValidationFields(value['validation'])) && (value['parts'] === undefined || isListOf(value['parts'], hasInteractionFields))
}

function hasDisplayFields(value: unknown): boolean {
  return isJsonObject(value) && typeof value['title'] === 'string' && (value['description'] === undefined || typeof value['description'] === 'string') && (value['content'] === undefined || isPresent(value['content'])) && (value['content_kind'] === undefined || (value['content_kind'] === "plain_text" || value['content_kind'] === "json" || value['content_kind'] === "diff" || value['content_kind'] === "table")) && (value['dangers'] === undefined || isListOf(value['dangers'], hasDangersFields))
}

function hasDangersFields(value: unknown): boolean {
  return isJsonObject(value) && typeof value['text'] === 'string' && (value['start'] === undefined || Number.isFinite(value['start'])) && (value['end'] === undefined || Number.isFinite(value['end']))
}

function hasOptionsFields(value: unknown): boolean {
  return isJsonObject(value) && typeof value['id'] === 'string' && typeof value['label'] === 'string' && (value['style'] === undefined || (value['style'] === "primary" || value['style'] === "danger" || value['style'] === "default")) && (value['is_default'] === undefined || typeof value['is_default'] === 'boolean') && (value['detail'] === undefined || typeof value['detail'] === 'string') && (value['confirm'] === undefined || typeof value['confirm'] === 'string')
}

function hasWithheldFields(value: unknown): boolean {
  return isJsonObject(value) && typeof value['id'] === 'string' && typeof value['label'] === 'string' && typeof value['reason'] === 'string'
}

function hasValidationFields(value: unknown): boolean {
  return isJsonObject(value) && (value['regex'] === undefined || typeof value['regex'] === 'string') && (value['required'] === undefined || typeof value['required'] === 'boolean')
}

function hasResponseFields(value: unknown): boolean {
  return isJsonObject(value) && typeof value['interaction_id'] === 'string' && typeof value['answered_by'] === 'string' && (value['selected_option_id'] === undefined || typeof value['selected_option_id'] === 'string') && (value['input_value'] === undefined || typeof value['input_value'] === 'string') && (value['comment'] === undefined || typeof value['comment'] === 'string') && (value['arguments'] === undefined || isPresent(value['arguments'])) && (value['parts'] === undefined || isListOf(value['parts'], hasResponseFields)) && (value['cancelled'] === undefined || typeof value['cancelled'] === 'boolean')
}
