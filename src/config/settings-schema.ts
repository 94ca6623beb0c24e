import * as z from 'zod'
import { actorKinds, capabilities } from '../actor.ts'
import { dialects, thinkTagUses } from '../machine/model-server.ts'
import { sandboxModes } from '../machine/sandbox.ts'
import { thinkingLevels } from '../model.ts'
import { permissionModes } from '../permission.ts'
import { agentPattern, haveKindsOfIds, userPattern } from './actors.ts'
import { modelPattern, plainName } from './models/model-name.ts'
import { modelSettingsSchema } from './models/model-settings.ts'
import { preferences } from './models/route-models.ts'
import {
  auditDetails,
  databaseUrl,
  fileEnding,
  hookFailures,
  notifications,
  promptKeys,
  screenThemes,
  servedHost,
  servedOrigin,
  stdinUses,
} from './own-choices.ts'

const quirksSchema = z.strictObject({
  max_tokens_field: z.enum(['max_tokens', 'max_completion_tokens']).optional(),
  stream_options: z.boolean().optional(),
  key_header: z.string().min(1).optional(),
  system_role: z.enum(['system', 'developer']).optional(),
  call_id_length: z.int().positive().optional(),
  reasoning_effort: z.partialRecord(z.enum(thinkingLevels), z.string()).optional(),
  tool_choice_required: z.string().min(1).optional(),
  temperature_with_thinking: z.boolean().optional(),
  reasoning_content: z.boolean().optional(),
  user_after_tool: z.boolean().optional(),
  schema_beside_tools: z.boolean().optional(),
  think_tags: z.enum(thinkTagUses).optional(),
})

const serverSchema = z.strictObject({
  dialect: z.enum(dialects).optional(),
  base_url: z.url({ protocol: /^https?$/, error: 'expected an http or https URL' }).optional(),
  api_key_env: z.string().min(1).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  models: z.array(z.string()).optional(),
  quirks: quirksSchema.optional(),
})

const nameSchema = z.string().regex(plainName, 'expected a name without a slash')
const modelSchema = z.string().regex(modelPattern, 'expected provider/model, such as openai/gpt-5')

/** One model, or several in order of preference. */
const routeSchema = z.union([modelSchema, z.array(modelSchema).min(1)], {
  error: 'expected provider/model, such as openai/gpt-5, or a list of them',
})

/** An actor. Its id is the key of its entry, and says its kind. */
const actorSchema = z.strictObject({
  kind: z.enum(actorKinds).optional(),
  display_name: z.string().min(1).optional(),
  capabilities: z.array(z.enum(capabilities)).optional(),
  default_agent_id: z.string().regex(agentPattern, 'expected agent_NAME').optional(),
})

const actorsSchema = z
  .record(z.string(), actorSchema)
  .refine(haveKindsOfIds, 'expected ids such as user_NAME for a human and agent_NAME for an agent')

/** A permission rule, alone or with examples that it must or must not match. */
const ruleSchema = z.union([
  z.string().min(1),
  z.strictObject({
    rule: z.string().min(1),
    match: z.array(z.string()).optional(),
    not_match: z.array(z.string()).optional(),
  }),
])

/** A server of tools. Which fields go together is checked when it is read, as for those of a project. */
const toolServerSchema = z.strictObject({
  type: z.enum(['stdio', 'http', 'sse']).optional(),
  command: z.string().min(1).optional(),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  cwd: z.string().min(1).optional(),
  url: z.string().min(1).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  oauth: z
    .strictObject({
      client_metadata_url: z.string().min(1).optional(),
      client_id: z.string().min(1).optional(),
      client_secret: z.string().min(1).optional(),
      callback_port: z.int().positive().optional(),
      scopes: z.array(z.string()).optional(),
    })
    .optional(),
  enabled: z.boolean().optional(),
  enabled_tools: z.array(z.string()).optional(),
  disabled_tools: z.array(z.string()).optional(),
  startup_timeout_sec: z.number().positive().optional(),
  tool_timeout_sec: z.number().positive().optional(),
})

const vectorStoreSchema = z.union([z.literal('file'), z.string().regex(databaseUrl)], {
  error: 'expected "file" or a URL such as postgres://user@host/database',
})

/** A program that runs at an event. Fields of other agents that are not listed here may stand beside these. */
const hookSchema = z.object({
  type: z.string().min(1),
  command: z.string().min(1).optional(),
  args: z.array(z.string()).optional(),
  url: z.string().min(1).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  allowedEnvVars: z.array(z.string()).optional(),
  prompt: z.string().min(1).optional(),
  model: z.string().min(1).optional(),
  if: z.string().min(1).optional(),
  statusMessage: z.string().optional(),
  timeout: z.number().positive().optional(),
  once: z.boolean().optional(),
  async: z.boolean().optional(),
  onFailure: z.enum(hookFailures).optional(),
})

const hookGroupSchema = z.object({ matcher: z.string().optional(), hooks: z.array(hookSchema) })

/** A language server. What it leaves out is as pipe knows it. */
const languageSchema = z.strictObject({
  command: z.array(z.string().min(1)).min(1).optional(),
  extensions: z
    .array(z.string().regex(fileEnding, 'expected a file extension such as .ts'))
    .min(1)
    .optional(),
  language_id: z.string().min(1).optional(),
  initialization_options: z.record(z.string(), z.unknown()).optional(),
  disabled: z.boolean().optional(),
})

/** Schema of the user's `config.json`. */
export const settingsSchema = z.strictObject({
  model: z.string().min(1).optional(),
  routes: z.record(nameSchema, routeSchema).optional(),
  fallback: z.array(modelSchema).optional(),
  prefer: z.enum(preferences).optional(),
  compaction: z.strictObject({ auto: z.boolean().optional() }).optional(),
  local: z.boolean().optional(),
  system_prompt: z.string().optional(),
  redact_sessions: z.boolean().optional(),
  elves: z.boolean().optional(),
  skills: z.boolean().optional(),
  plugins: z.boolean().optional(),
  actor: z.string().regex(userPattern, 'expected user_NAME').optional(),
  actors: actorsSchema.optional(),
  tools: z.strictObject({ task: z.boolean().optional() }).optional(),
  memory: z
    .strictObject({
      enabled: z.boolean().optional(),
      budget: z.int().nonnegative().optional(),
      tool: z.boolean().optional(),
      store: vectorStoreSchema.optional(),
    })
    .optional(),
  recall: z.union([z.boolean(), z.literal('all')]).optional(),
  audit: z.enum(auditDetails).optional(),
  stdin: z.enum(stdinUses).optional(),
  permissions: z
    .strictObject({
      mode: z.enum(permissionModes).optional(),
      allow: z.array(ruleSchema).optional(),
      ask: z.array(ruleSchema).optional(),
      deny: z.array(ruleSchema).optional(),
    })
    .optional(),
  sandbox: z
    .strictObject({
      mode: z.enum([...sandboxModes, 'off']).optional(),
      network: z.boolean().optional(),
      writable: z
        .array(z.string().regex(/^(\/|~\/|~$)/, 'expected an absolute path, or one below ~/'))
        .optional(),
    })
    .optional(),
  bash: z
    .strictObject({
      env_drop: z.array(z.string().min(1)).optional(),
      env_keep: z.array(z.string().min(1)).optional(),
    })
    .optional(),
  fetch: z.strictObject({ allow_private: z.array(z.string().min(1)).optional() }).optional(),
  tasks: z
    .strictObject({
      store: z.string().regex(databaseUrl, 'expected a URL such as postgres://user@host/database').optional(),
    })
    .optional(),
  tui: z
    .strictObject({
      theme: z.enum(screenThemes).optional(),
      notify: z.enum(notifications).optional(),
      cursor: z.boolean().optional(),
      clipboard_read: z.boolean().optional(),
      status_line: z.string().min(1).optional(),
      editor: z.enum(promptKeys).optional(),
      keys: z.record(z.string(), z.union([z.string(), z.array(z.string())])).optional(),
    })
    .optional(),
  markdown: z.boolean().optional(),
  mcp_servers: z.record(z.string(), toolServerSchema).optional(),
  hooks: z.record(z.string(), z.array(hookGroupSchema)).optional(),
  lsp: z
    .union([z.literal(false), z.record(nameSchema, languageSchema)], {
      error: 'expected false, or languages by name',
    })
    .optional(),
  formatters: z
    .record(
      z.string().regex(fileEnding, 'expected a file extension such as .ts'),
      z.array(z.string().min(1)).min(1),
    )
    .optional(),
  worktree: z.strictObject({ setup: z.string().min(1).optional() }).optional(),
  serve: z
    .strictObject({
      hosts: z
        .array(z.string().regex(servedHost, 'expected a name such as pipe.example, or NAME:PORT'))
        .optional(),
      origins: z
        .array(z.string().regex(servedOrigin, 'expected an origin such as https://app.example'))
        .optional(),
      watchers: z.int().positive().optional(),
    })
    .optional(),
  ca_file: z
    .string()
    .regex(/^(\/|~\/)./, 'expected an absolute path, or one below ~/')
    .optional(),
  providers: z.record(nameSchema, serverSchema).optional(),
  models: z.record(modelSchema, modelSettingsSchema).optional(),
})

export type RuleSettings = z.infer<typeof ruleSchema>
export type Settings = z.infer<typeof settingsSchema>
export type ServerSettings = z.infer<typeof serverSchema>
export type QuirkSettings = z.infer<typeof quirksSchema>
