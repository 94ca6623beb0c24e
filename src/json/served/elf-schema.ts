import * as z from 'zod'

/** An elf of a session. */
export const elfSchema = z.object({
  /** Names it within its session: `e1`, `e2` … */
  name: z.string(),
  /** The `agent_id` of its events. Absent for one of an earlier opening of the session. */
  elf_id: z.string().exactOptional(),
  agent: z.string().exactOptional(),
  model: z.string().exactOptional(),
  prompt: z.string(),
  state: z.enum(['working', 'done']),
  session_id: z.string().exactOptional(),
})

/** A command for an elf. */
export const elfCommandSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('interrupt') }),
])

export type WireElf = z.infer<typeof elfSchema>
