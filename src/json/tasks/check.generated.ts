import { isJsonObject } from '../../json-value.ts'
import { isAbove, isText, isListOf, isPresent } from '../../wire/json-check.ts'
import type { DiskTaskEvent, DiskTaskView } from './schema.ts'

// Written by scripts/generate-checks.js from schema.ts. Accepts exactly what its schemas accept.

export function isDiskTaskEvent(value: unknown): value is DiskTaskEvent {
  return hasDiskTaskEventFields(value)
}

export function isDiskTaskView(value: unknown): value is DiskTaskView {
  return hasDiskTaskViewFields(value)
}

function hasDiskTaskEventFields(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  switch (value['type']) {
    case "task_created": return hasDiskTaskEventTaskCreatedFields(value)
    case "task_started": return hasDiskTaskEventTaskStartedFields(value)
    case "task_completed": return hasDiskTaskEventTaskCompletedFields(value)
    case "task_failed": return hasDiskTaskEventTaskFailedFields(value)
    case "task_canceled": return hasDiskTaskEventTaskCanceledFields(value)
    case "user_interaction_requested": return hasDiskTaskEventUserInteractionRequestedFields(value)
    case "user_interaction_responded": return hasDiskTaskEventUserInteractionRespondedFields(value)
    default: return false
  }
}

function hasDiskTaskEventTaskCreatedFields(value: unknown): boolean {
  return isJsonObject(value) && Number.isSafeInteger(value['id']) && isAbove(value['id'], 0) && isText(value['stream_id'], 1) && Number.isSafeInteger(value['seq']) && isAbove(value['seq'], 0) && isText(value['created_at'], 1) && (value['more'] === undefined || value['more'] === true) && value['type'] === "task_created" && hasPayloadFields(value['payload'])
}

function hasPayloadFields(value: unknown): boolean {
  return isJsonObject(value) && isText(value['task_id'], 1) && isText(value['author_actor_id'], 1) && isText(value['title'], 1) && typeof value['intent'] === 'string' && (value['priority'] === "foreground" || value['priority'] === "normal" || value['priority'] === "background") && isText(value['agent_id'], 1) && (value['artifact_refs'] === undefined || isListOf(value['artifact_refs'], hasArtifactRefsFields)) && (value['options'] === undefined || hasOptionsFields(value['options']))
}

function hasArtifactRefsFields(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  switch (value['kind']) {
    case "file_range": return hasArtifactRefsFileRangeFields(value)
    case "outline_anchor": return hasArtifactRefsOutlineAnchorFields(value)
    case "asset": return hasArtifactRefsAssetFields(value)
    case "citation": return hasArtifactRefsCitationFields(value)
    default: return false
  }
}

function hasArtifactRefsFileRangeFields(value: unknown): boolean {
  return isJsonObject(value) && value['kind'] === "file_range" && isText(value['path'], 1) && Number.isSafeInteger(value['line_start']) && isAbove(value['line_start'], 0) && Number.isSafeInteger(value['line_end']) && isAbove(value['line_end'], 0)
}

function hasArtifactRefsOutlineAnchorFields(value: unknown): boolean {
  return isJsonObject(value) && value['kind'] === "outline_anchor" && isText(value['section_id'], 1)
}

function hasArtifactRefsAssetFields(value: unknown): boolean {
  return isJsonObject(value) && value['kind'] === "asset" && isText(value['asset_id'], 1)
}

function hasArtifactRefsCitationFields(value: unknown): boolean {
  return isJsonObject(value) && value['kind'] === "citation" && isText(value['cite_key'], 1)
}

function hasOptionsFields(value: unknown): boolean {
  return isJsonObject(value) && (value['repo'] === undefined || isText(value['repo'], 1)) && (value['base'] === undefined || isText(value['base'], 1)) && (value['folder'] === undefined || isText(value['folder'], 1)) && (value['model'] === undefined || isText(value['model'], 1)) && (value['mode'] === undefined || (value['mode'] === "plan" || value['mode'] === "default" || value['mode'] === "accept-edits" || value['mode'] === "auto" || value['mode'] === "bypass")) && (value['limits'] === undefined || hasLimitsFields(value['limits'])) && (value['after'] === undefined || isText(value['after'], 1)) && (value['parent_task_id'] === undefined || isText(value['parent_task_id'], 1)) && (value['retry_of'] === undefined || isText(value['retry_of'], 1))
}

function hasLimitsFields(value: unknown): boolean {
  return isJsonObject(value) && (value['max_rounds'] === undefined || Number.isFinite(value['max_rounds'])) && (value['max_tokens'] === undefined || Number.isFinite(value['max_tokens'])) && (value['max_cost_usd'] === undefined || Number.isFinite(value['max_cost_usd'])) && (value['max_time_ms'] === undefined || Number.isFinite(value['max_time_ms']))
}

function hasDiskTaskEventTaskStartedFields(value: unknown): boolean {
  return isJsonObject(value) && Number.isSafeInteger(value['id']) && isAbove(value['id'], 0) && isText(value['stream_id'], 1) && Number.isSafeInteger(value['seq']) && isAbove(value['seq'], 0) && isText(value['created_at'], 1) && (value['more'] === undefined || value['more'] === true) && value['type'] === "task_started" && hasPayloadFields2(value['payload'])
}

function hasPayloadFields2(value: unknown): boolean {
  return isJsonObject(value) && isText(value['task_id'], 1) && isText(value['author_actor_id'], 1) && isText(value['agent_id'], 1) && (value['options'] === undefined || hasOptionsFields2(value['options']))
}

function hasOptionsFields2(value: unknown): boolean {
  return isJsonObject(value) && (value['session_id'] === undefined || isText(value['session_id'], 1)) && (value['worker'] === undefined || typeof value['worker'] === 'string') && (value['folder'] === undefined || isText(value['folder'], 1)) && (value['attempt'] === undefined || Number.isSafeInteger(value['attempt']) && isAbove(value['attempt'], 0)) && (value['handed_back'] === undefined || value['handed_back'] === true)
}

function hasDiskTaskEventTaskCompletedFields(value: unknown): boolean {
  return isJsonObject(value) && Number.isSafeInteger(value['id']) && isAbove(value['id'], 0) && isText(value['stream_id'], 1) && Number.isSafeInteger(value['seq']) && isAbove(value['seq'], 0) && isText(value['created_at'], 1) && (value['more'] === undefined || value['more'] === true) && value['type'] === "task_completed" && hasPayloadFields3(value['payload'])
}

function hasPayloadFields3(value: unknown): boolean {
  return isJsonObject(value) && isText(value['task_id'], 1) && isText(value['author_actor_id'], 1) && (value['summary'] === undefined || typeof value['summary'] === 'string')
}

function hasDiskTaskEventTaskFailedFields(value: unknown): boolean {
  return isJsonObject(value) && Number.isSafeInteger(value['id']) && isAbove(value['id'], 0) && isText(value['stream_id'], 1) && Number.isSafeInteger(value['seq']) && isAbove(value['seq'], 0) && isText(value['created_at'], 1) && (value['more'] === undefined || value['more'] === true) && value['type'] === "task_failed" && hasPayloadFields4(value['payload'])
}

function hasPayloadFields4(value: unknown): boolean {
  return isJsonObject(value) && isText(value['task_id'], 1) && isText(value['author_actor_id'], 1) && typeof value['reason'] === 'string' && (value['options'] === undefined || hasOptionsFields3(value['options']))
}

function hasOptionsFields3(value: unknown): boolean {
  return isJsonObject(value) && (value['code'] === undefined || Number.isSafeInteger(value['code']))
}

function hasDiskTaskEventTaskCanceledFields(value: unknown): boolean {
  return isJsonObject(value) && Number.isSafeInteger(value['id']) && isAbove(value['id'], 0) && isText(value['stream_id'], 1) && Number.isSafeInteger(value['seq']) && isAbove(value['seq'], 0) && isText(value['created_at'], 1) && (value['more'] === undefined || value['more'] === true) && value['type'] === "task_canceled" && hasPayloadFields5(value['payload'])
}

function hasPayloadFields5(value: unknown): boolean {
  return isJsonObject(value) && isText(value['task_id'], 1) && isText(value['author_actor_id'], 1) && (value['reason'] === undefined || typeof value['reason'] === 'string')
}

function hasDiskTaskEventUserInteractionRequestedFields(value: unknown): boolean {
  return isJsonObject(value) && Number.isSafeInteger(value['id']) && isAbove(value['id'], 0) && isText(value['stream_id'], 1) && Number.isSafeInteger(value['seq']) && isAbove(value['seq'], 0) && isText(value['created_at'], 1) && (value['more'] === undefined || value['more'] === true) && value['type'] === "user_interaction_requested" && hasPayloadFields6(value['payload'])
}

function hasPayloadFields6(value: unknown): boolean {
  return isJsonObject(value) && isText(value['task_id'], 1) && isText(value['author_actor_id'], 1) && isText(value['interaction_id'], 1) && (value['kind'] === "select" || value['kind'] === "confirm" || value['kind'] === "input" || value['kind'] === "composite") && (value['purpose'] === "choose_strategy" || value['purpose'] === "request_info" || value['purpose'] === "confirm_risky_action" || value['purpose'] === "assign_subtask" || value['purpose'] === "generic") && hasDisplayFields(value['display']) && (value['options'] === undefined || isListOf(value['options'], hasOptionsFields4)) && (value['withheld'] === undefined || isListOf(value['withheld'], hasWithheldFields)) && (value['validation'] === undefined || hasValidationFields(value['validation'])) && (value['parts'] === undefined || isListOf(value['parts'], hasPartsFields))
}

function hasDisplayFields(value: unknown): boolean {
  return isJsonObject(value) && typeof value['title'] === 'string' && (value['description'] === undefined || typeof value['description'] === 'string') && (value['content'] === undefined || isPresent(value['content'])) && (value['content_kind'] === undefined || (value['content_kind'] === "plain_text" || value['content_kind'] === "json" || value['content_kind'] === "diff" || value['content_kind'] === "table")) && (value['dangers'] === undefined || isListOf(value['dangers'], hasDangersFields))
}

function hasDangersFields(value: unknown): boolean {
  return isJsonObject(value) && typeof value['text'] === 'string' && (value['start'] === undefined || Number.isFinite(value['start'])) && (value['end'] === undefined || Number.isFinite(value['end']))
}

function hasOptionsFields4(value: unknown): boolean {
  return isJsonObject(value) && typeof value['id'] === 'string' && typeof value['label'] === 'string' && (value['style'] === undefined || (value['style'] === "primary" || value['style'] === "danger" || value['style'] === "default")) && (value['is_default'] === undefined || typeof value['is_default'] === 'boolean') && (value['detail'] === undefined || typeof value['detail'] === 'string') && (value['confirm'] === undefined || typeof value['confirm'] === 'string')
}

function hasWithheldFields(value: unknown): boolean {
  return isJsonObject(value) && typeof value['id'] === 'string' && typeof value['label'] === 'string' && typeof value['reason'] === 'string'
}

function hasValidationFields(value: unknown): boolean {
  return isJsonObject(value) && (value['regex'] === undefined || typeof value['regex'] === 'string') && (value['required'] === undefined || typeof value['required'] === 'boolean')
}

function hasPartsFields(value: unknown): boolean {
  return isJsonObject(value) && typeof value['id'] === 'string' && (value['kind'] === "select" || value['kind'] === "confirm" || value['kind'] === "input" || value['kind'] === "composite") && (value['purpose'] === "choose_strategy" || value['purpose'] === "request_info" || value['purpose'] === "confirm_risky_action" || value['purpose'] === "assign_subtask" || value['purpose'] === "generic") && hasDisplayFields(value['display']) && (value['options'] === undefined || isListOf(value['options'], hasOptionsFields4)) && (value['withheld'] === undefined || isListOf(value['withheld'], hasWithheldFields)) && (value['validation'] === undefined || hasValidationFields(value['validation'])) && (value['parts'] === undefined || isListOf(value['parts'], hasPartsFields))
}

function hasDiskTaskEventUserInteractionRespondedFields(value: unknown): boolean {
  return isJsonObject(value) && Number.isSafeInteger(value['id']) && isAbove(value['id'], 0) && isText(value['stream_id'], 1) && Number.isSafeInteger(value['seq']) && isAbove(value['seq'], 0) && isText(value['created_at'], 1) && (value['more'] === undefined || value['more'] === true) && value['type'] === "user_interaction_responded" && hasPayloadFields7(value['payload'])
}

function hasPayloadFields7(value: unknown): boolean {
  return isJsonObject(value) && isText(value['task_id'], 1) && isText(value['author_actor_id'], 1) && isText(value['interaction_id'], 1) && (value['selected_option_id'] === undefined || typeof value['selected_option_id'] === 'string') && (value['input_value'] === undefined || typeof value['input_value'] === 'string') && (value['comment'] === undefined || typeof value['comment'] === 'string') && (value['arguments'] === undefined || isPresent(value['arguments'])) && (value['parts'] === undefined || isListOf(value['parts'], hasPartsFields2))
}

function hasPartsFields2(value: unknown): boolean {
  return isJsonObject(value) && typeof value['interaction_id'] === 'string' && typeof value['answered_by'] === 'string' && (value['selected_option_id'] === undefined || typeof value['selected_option_id'] === 'string') && (value['input_value'] === undefined || typeof value['input_value'] === 'string') && (value['comment'] === undefined || typeof value['comment'] === 'string') && (value['arguments'] === undefined || isPresent(value['arguments'])) && (value['parts'] === undefined || isListOf(value['parts'], hasPartsFields2)) && (value['cancelled'] === undefined || typeof value['cancelled'] === 'boolean')
}

function hasDiskTaskViewFields(value: unknown): boolean {
  return isJsonObject(value) && typeof value['task_id'] === 'string' && typeof value['title'] === 'string' && typeof value['intent'] === 'string' && typeof value['created_by'] === 'string' && typeof value['agent_id'] === 'string' && (value['priority'] === "foreground" || value['priority'] === "normal" || value['priority'] === "background") && (value['status'] === "open" || value['status'] === "in_progress" || value['status'] === "awaiting_user" || value['status'] === "done" || value['status'] === "failed" || value['status'] === "canceled") && (value['artifact_refs'] === undefined || isListOf(value['artifact_refs'], hasArtifactRefsFields)) && (value['pending_interaction_id'] === undefined || typeof value['pending_interaction_id'] === 'string') && (value['last_interaction_id'] === undefined || typeof value['last_interaction_id'] === 'string') && (value['parent_task_id'] === undefined || typeof value['parent_task_id'] === 'string') && (value['child_task_ids'] === undefined || isListOf(value['child_task_ids'], (one) => typeof one === 'string')) && (value['options'] === undefined || hasOptionsFields(value['options'])) && (value['attempt'] === undefined || Number.isSafeInteger(value['attempt'])) && (value['session_id'] === undefined || typeof value['session_id'] === 'string') && (value['worker'] === undefined || typeof value['worker'] === 'string') && (value['work_folder'] === undefined || typeof value['work_folder'] === 'string') && (value['summary'] === undefined || typeof value['summary'] === 'string') && (value['reason'] === undefined || typeof value['reason'] === 'string') && (value['code'] === undefined || Number.isSafeInteger(value['code'])) && Number.isSafeInteger(value['seq']) && typeof value['created_at'] === 'string' && typeof value['updated_at'] === 'string'
}
