import * as z from 'zod'
import { json } from '../opaque.ts'

export const interactionSchema = z.object({
  id: z.string(),
  kind: z.enum(['select', 'confirm', 'input', 'composite']),
  purpose: z.enum(['choose_strategy', 'request_info', 'confirm_risky_action', 'assign_subtask', 'generic']),
  display: z.object({
    title: z.string(),
    description: z.string().exactOptional(),
    content: json.exactOptional(),
    content_kind: z.enum(['plain_text', 'json', 'diff', 'table']).exactOptional(),
    dangers: z
      .array(
        z.object({
          text: z.string(),
          start: z.number().exactOptional(),
          end: z.number().exactOptional(),
        }),
      )
      .exactOptional(),
  }),
  options: z
    .array(
      z.object({
        id: z.string(),
        label: z.string(),
        style: z.enum(['primary', 'danger', 'default']).exactOptional(),
        is_default: z.boolean().exactOptional(),
        detail: z.string().exactOptional(),
        confirm: z.string().exactOptional(),
      }),
    )
    .exactOptional(),
  withheld: z.array(z.object({ id: z.string(), label: z.string(), reason: z.string() })).exactOptional(),
  validation: z
    .object({ regex: z.string().exactOptional(), required: z.boolean().exactOptional() })
    .exactOptional(),
  get parts() {
    return z.array(interactionSchema).exactOptional()
  },
})

export const responseSchema = z.object({
  interaction_id: z.string(),
  answered_by: z.string(),
  selected_option_id: z.string().exactOptional(),
  input_value: z.string().exactOptional(),
  comment: z.string().exactOptional(),
  arguments: json.exactOptional(),
  get parts() {
    return z.array(responseSchema).exactOptional()
  },
  cancelled: z.boolean().exactOptional(),
})

export type DiskInteraction = z.infer<typeof interactionSchema>
export type DiskResponse = z.infer<typeof responseSchema>
