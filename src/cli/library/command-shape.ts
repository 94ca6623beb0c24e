import * as z from 'zod'
import type { Command } from '../../engine.ts'
import { PipeError } from '../../error.ts'
import { inWords, modelChoice } from './options-shape.ts'

/** The fields that each command needs. What they hold is checked where it is taken in. */
const fields = {
  respond: { response: z.looseObject({ interactionId: z.string() }) },
  steer: { message: z.looseObject({ type: z.literal('user') }) },
  take_back: { messageId: z.string() },
  interrupt: {},
  set_model: { choice: modelChoice },
  compact: { keep: z.string().optional() },
} satisfies Record<Command['type'], z.ZodRawShape>

const known = new Map<unknown, z.ZodRawShape>(Object.entries(fields))
const typed = z.looseObject({ type: z.enum(Object.keys(fields)) }, 'expected a command such as { type }')

/** Throws `usage` for a command that does not exist or lacks what it needs. */
export function requireEngineCommand(command: Command): void {
  const { data, error: stranger } = typed.safeParse(command)
  const error = stranger ?? z.looseObject(known.get(data?.type) ?? {}).safeParse(command).error
  if (error !== undefined) throw new PipeError('usage', `send: ${error.issues.map(inWords).join('; ')}`)
}
