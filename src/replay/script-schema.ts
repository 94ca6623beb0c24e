import * as z from 'zod'
import { isErrorCode } from '../error.ts'
import { stopReasons } from '../usage.ts'
import type { ScriptBlock, ScriptedReplies } from './script.ts'

const block: z.ZodType<ScriptBlock> = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('thinking'), thinking: z.string() }),
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({
    type: z.literal('tool_call'),
    id: z.string().min(1).optional(),
    name: z.string().min(1),
    arguments: z.json(),
  }),
])

const failure = z.strictObject({
  code: z.string().refine(isErrorCode, 'expected an error code, such as overloaded'),
  message: z.string(),
  after: z.int().nonnegative().default(0),
})

const usage = z
  .strictObject({ input_tokens: z.int().nonnegative(), output_tokens: z.int().nonnegative() })
  .transform((wire) => ({ inputTokens: wire.input_tokens, outputTokens: wire.output_tokens }))

const round = z
  .strictObject({
    blocks: z.array(block),
    stop_reason: z.enum(stopReasons).optional(),
    usage: usage.optional(),
    pace_ms: z.number().nonnegative().optional(),
    fail: z.array(failure).default([]),
  })
  .transform(({ stop_reason, pace_ms, fail, ...rest }) => ({
    ...rest,
    stopReason: stop_reason,
    paceMs: pace_ms,
    failures: fail,
  }))

/** Parses version 1 of the script format. `files` and `prompt` are for its player. */
export const scriptSchema: z.ZodType<ScriptedReplies> = z
  .strictObject({
    version: z.literal(1),
    model: z.string().min(1).optional(),
    rounds: z.array(round).min(1),
    files: z.json().optional(),
    prompt: z.json().optional(),
  })
  .transform(({ model, rounds }) => ({ model, rounds }))
