import * as z from 'zod'

export type Judged<Body> = { readonly body: Body } | { readonly violation: string }

/** Judges a request by its schema, then by rules that each report a violation. */
export function judge<Body>(
  schema: z.ZodType<Body>,
  value: unknown,
  ...rules: readonly ((body: Body) => string | undefined)[]
): Judged<Body> {
  const parsed = schema.safeParse(value)
  if (!parsed.success) return { violation: z.prettifyError(parsed.error) }
  for (const rule of rules) {
    const violation = rule(parsed.data)
    if (violation !== undefined) return { violation }
  }
  return { body: parsed.data }
}
