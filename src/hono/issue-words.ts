import * as z from 'zod'

const typeWords: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'a boolean',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a string',
}

/** Says in plain words what was expected in place of a value, where its schema does not say it. */
export const issueInWords: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return ofType(issue.expected, issue.input)
    case 'invalid_value':
      return oneOf(issue.values, issue.input)
    case 'invalid_union': {
      const { discriminator = '', options, input } = issue
      return Array.isArray(options) ? oneOf(options, Object(input)[discriminator]) : unclear
    }
    case 'too_small':
      return isCounted(issue.origin) && issue.minimum === 1
        ? 'is empty'
        : `expected at least ${issue.minimum}`
    case 'too_big':
      return `expected at most ${issue.maximum}${issue.origin === 'array' ? ' items' : ''}`
    case 'unrecognized_keys':
      return 'is not a field of this request'
    default:
      return unclear
  }
}

const unclear = 'is not as expected'

function ofType(expected: string, input: unknown): string {
  const isFraction = expected === 'int' && typeof input === 'number'
  return `expected ${typeIn(expected)}${isFraction ? '' : `, ${received(input)}`}`
}

function oneOf(values: readonly unknown[], input: unknown): string {
  const [only, ...others] = values
  const choice = others.length === 0 ? String(only) : `one of ${values.join(', ')}`
  return `expected ${choice}${input === undefined ? `, ${received(input)}` : ''}`
}

function received(input: unknown): string {
  return input === undefined ? 'but it is missing' : `not ${typeIn(z.core.util.parsedType(input))}`
}

function typeIn(name: string): string {
  return typeWords[name] ?? name
}

function isCounted(origin: string): boolean {
  return origin === 'string' || origin === 'array'
}
