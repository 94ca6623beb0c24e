import * as z from 'zod'
import type { AgentEvent } from '../../event.ts'
import { stopReasons } from '../../usage.ts'
import { json } from '../opaque.ts'
import { interactionSchema, responseSchema } from './interaction-schema.ts'
import { blockSchema, messageSchema, usageSchema } from './schema.ts'

const stopReason = z.enum(stopReasons)
const cost = z.number().exactOptional()
const round = z.int().positive()
const callId = z.string()
const delta = { id: z.string(), delta: z.string() }
const state = z.enum(['idle', 'thinking', 'toolcall', 'reflecting'])
const discarded = z.array(z.string())

/** The fields of each event besides its type, agent and number. */
export const eventFields = {
  text_delta: delta,
  thinking_delta: delta,
  tool_call_begin: { id: z.string(), name: z.string() },
  tool_call_delta: delta,
  tool_call_end: {
    call: z.object({
      id: z.string(),
      name: z.string(),
      arguments: json,
      arguments_raw: z.string().exactOptional(),
    }),
  },
  turn_start: { message: messageSchema.exactOptional() },
  turn_end: { stop_reason: stopReason, rounds: z.int().nonnegative(), usage: usageSchema, cost_usd: cost },
  round_start: { round, provider: z.string(), model: z.string(), reason: z.string().exactOptional() },
  round_end: {
    round,
    stop_reason: stopReason,
    raw_stop_reason: z.string().exactOptional(),
    usage: usageSchema,
    cost_usd: cost,
  },
  message: { message: messageSchema },
  tool_start: { call_id: callId, name: z.string(), arguments: json },
  tool_output: {
    call_id: callId,
    stream: z.enum(['stdout', 'stderr']),
    chunk: z.string(),
    truncated: z.literal(true).exactOptional(),
  },
  tool_end: {
    call_id: callId,
    is_error: z.boolean(),
    content: z.array(blockSchema),
    details: json.exactOptional(),
    duration_ms: z.number(),
    output_left_out: z.int().positive().exactOptional(),
  },
  interaction_requested: { interaction: interactionSchema, call_id: callId.exactOptional() },
  interaction_responded: { response: responseSchema, call_id: callId.exactOptional() },
  state: { from: state, to: state },
  retry: {
    attempt: z.int().nonnegative(),
    reason: z.string(),
    wait_ms: z.number(),
    discarded,
    request_id: z.string().exactOptional(),
    status: z.int().exactOptional(),
  },
  fallback: { from: z.string(), to: z.string(), reason: z.string(), discarded },
  compaction: {
    trigger: z.enum(['manual', 'auto']),
    summary: z.string(),
    by: z.string().exactOptional(),
    tokens_before: z.number(),
    tokens_after: z.number(),
  },
  compaction_failed: { reason: z.string() },
  notice: { text: z.string() },
  unsaved: { part: z.enum(['conversation', 'audit_log']), reason: z.string() },
  saved: {},
  rules_saved: { rules: z.array(z.string()), file: z.string() },
  checkpoint: {
    id: z.string().exactOptional(),
    notes: z.array(z.string()),
    unsaved: z.string().exactOptional(),
  },
  elf_start: {
    call_id: callId,
    elf_id: z.string(),
    name: z.string(),
    agent: z.string(),
    model: z.string(),
    prompt: z.string(),
    session_id: z.string().exactOptional(),
    background: z.literal(true).exactOptional(),
  },
  elf_end: {
    elf_id: z.string(),
    name: z.string(),
    stop_reason: stopReason,
    rounds: z.int().nonnegative(),
    usage: usageSchema,
    cost_usd: cost,
    reason: z.string().exactOptional(),
    session_id: z.string().exactOptional(),
    audit_head: z.string().exactOptional(),
  },
} as const satisfies Readonly<Record<AgentEvent['type'], object>>

const headerSchema = z.object({
  type: z.literal('stream'),
  version: z.literal(1),
  session_id: z.string().exactOptional(),
  model: z.string(),
  cwd: z.string(),
})

/** The last line, and the only output of `-o json`. */
const resultSchema = z.object({
  type: z.literal('result'),
  is_error: z.boolean(),
  exit_code: z.int(),
  stop_reason: stopReason,
  result: z.string(),
  session_id: z.string().exactOptional(),
  turns: z.int().nonnegative(),
  rounds: z.int().nonnegative(),
  usage: usageSchema,
  cost_usd: cost,
  model: z.string(),
  duration_ms: z.number(),
  structured_output: json.exactOptional(),
  check: z
    .object({
      command: z.string(),
      passed: z.boolean(),
      runs: z.int().positive(),
      changed_files: z.array(z.string()).exactOptional(),
    })
    .exactOptional(),
  patch: z.string().exactOptional(),
  permission_denials: z.array(z.object({ call_id: callId, name: z.string(), arguments: json, reason: json })),
  error: z
    .object({ code: z.string(), message: z.string(), details: z.record(z.string(), z.string()) })
    .exactOptional(),
})

/** A line of `stream-json`: the header, an event, or the result. */
export const eventLineSchema = z.discriminatedUnion('type', [
  headerSchema,
  ...Object.entries(eventFields).map(([type, fields]) =>
    z.object({ type: z.literal(type), ...fields, agent_id: z.string(), seq: z.int().positive() }),
  ),
  resultSchema,
])
