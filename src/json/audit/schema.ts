import * as z from 'zod'
import { auditDecisions } from '../../audit.ts'
import { json } from '../opaque.ts'
import { auditVersion } from './audit-line.ts'

const hash = z.string().regex(/^[0-9a-f]{64}$/)

/** Fields that chain a line to the one before. `prev` is that line's hash, empty in the first line. */
const chained = { seq: z.int().positive(), prev: z.union([hash, z.literal('')]), hash }

const id = z.string()
const call = { id, tool_id: z.string(), tool_name: z.string() }

const logFormSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('user'), id, content: z.string() }),
  z.object({ type: z.literal('assistant_text'), id, content: z.string() }),
  z.object({ type: z.literal('assistant_thinking'), id, content: z.string() }),
  z.object({ type: z.literal('assistant_action'), ...call, tool_args: json }),
  z.object({
    type: z.literal('tool_result'),
    ...call,
    success: z.literal(true),
    result: z.string(),
    executed_at: z.string(),
  }),
  z.object({
    type: z.literal('tool_error'),
    ...call,
    success: z.literal(false),
    error: z.string(),
    executed_at: z.string(),
  }),
  z.object({ type: z.literal('system_context'), content: z.string() }),
])

const headerSchema = z.object({
  ...chained,
  type: z.literal('audit'),
  version: z.literal(auditVersion),
  session_id: z.string(),
  created_at: z.string(),
  cwd: z.string(),
})

const entrySchema = z.object({
  ...chained,
  id: z.string(),
  timestamp: z.string(),
  actor: z.string(),
  decision: z.enum(auditDecisions),
  message: logFormSchema.nullable(),
  audit: z.record(z.string(), json),
})

/** A line of an audit log: the first is its header, the others are entries. */
export const auditLineSchema = z.union([headerSchema, entrySchema])
