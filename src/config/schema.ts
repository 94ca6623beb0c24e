import * as z from 'zod'
import { dialects } from '../server.ts'
import { providerName } from './model-name.ts'
import { permissionModes } from './permission-mode.ts'

const serverSchema = z.strictObject({
  dialect: z.enum(dialects),
  base_url: z.url({ protocol: /^https?$/, error: 'expected an http or https URL' }).optional(),
  api_key_env: z.string().min(1).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  models: z.array(z.string()).optional(),
})

/** The user's `config.json`, as it stands on disk. */
export const settingsSchema = z.strictObject({
  model: z.string().min(1).optional(),
  system_prompt: z.string().optional(),
  permissions: z.strictObject({ mode: z.enum(permissionModes).optional() }).optional(),
  providers: z
    .record(z.string().regex(providerName, 'expected a name without a slash'), serverSchema)
    .optional(),
})

export type Settings = z.infer<typeof settingsSchema>
export type ServerSettings = z.infer<typeof serverSchema>
