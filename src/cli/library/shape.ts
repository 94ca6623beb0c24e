import * as z from 'zod'

/** Accepts a function. Its arguments and results are not checked. */
export const callable = z.custom<unknown>((value) => typeof value === 'function', 'expected a function')

/** Describes what is wrong with a value, such as `content.0.text: expected string`; `undefined` if nothing is. */
export function faultOf(shape: z.ZodType, value: unknown): string | undefined {
  const { error } = shape.safeParse(value)
  return error?.issues.map(inWords).join('; ')
}

function inWords({ path, message, ...issue }: z.core.$ZodIssue): string {
  const words = issue.code === 'unrecognized_keys' ? `there is no ${issue.keys.join(', ')}` : message
  return path.length === 0 ? words : `${path.join('.')}: ${words}`
}
