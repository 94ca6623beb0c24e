import * as z from 'zod'

/** The folders that a server works in. */
export const projectListSchema = z.object({
  projects: z.array(z.object({ name: z.string(), cwd: z.string() })),
})
