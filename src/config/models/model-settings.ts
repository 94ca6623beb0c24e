import * as z from 'zod'
import { thinkingLevels } from '../../model.ts'

const tokens = z.int().positive()
const dollars = z.number().nonnegative()
const rates = {
  input: dollars,
  output: dollars,
  cache_read: dollars.optional(),
  cache_write: dollars.optional(),
}

const priceSchema = z.strictObject({
  ...rates,
  long: z.strictObject({ above: tokens, ...rates }).optional(),
})

const thinkingSchema = z.union(
  [
    z.enum(['none', 'fixed', 'effort', 'budget']),
    z.strictObject({ type: z.enum(['none', 'fixed']) }),
    z.strictObject({ type: z.literal('effort'), levels: z.array(z.enum(thinkingLevels)).min(1).optional() }),
    z.strictObject({
      type: z.literal('budget'),
      min: z.int().nonnegative().optional(),
      max: tokens.optional(),
      optional: z.boolean().optional(),
    }),
  ],
  'expected none, fixed, effort, budget or {"type": "effort", "levels": ["low", "high"]}',
)

/** Schema of an entry in `models`: the user's corrections to the model catalog, field by field. */
export const modelSettingsSchema = z.strictObject({
  context_window: tokens.optional(),
  max_output: tokens.optional(),
  images: z.boolean().optional(),
  documents: z.boolean().optional(),
  tools: z.boolean().optional(),
  thinking: thinkingSchema.optional(),
  price: priceSchema.optional(),
})
