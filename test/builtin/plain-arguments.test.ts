import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as schemas from '../../src/builtin/arguments.ts'
import parameters from '../../src/builtin/parameters.json' with { type: 'json' }
import { fitsPlainly } from '../../src/builtin/plain-arguments.ts'
import { runners } from '../../src/builtin/runners.ts'
import type { JsonValue } from '../../src/json-value.ts'

const schemasByName = new Map(Object.entries(schemas))
const plain = Object.values(runners).filter(({ takesPlain }) => takesPlain)

/** Values of the right kind, mostly, and of any wrong one. */
const value = fc.oneof(
  fc.constantFrom<JsonValue>('a', 'lines', 'kill', 1, 7, true, false),
  fc.constantFrom<JsonValue>('', 'Kill', 'true', '7', 0, -1, 1.5, null, [], {}),
  fc.string(),
)

describe.each(plain)('$name', ({ name }) => {
  const schema = schemasByName.get(name)
  const { properties, required } = parameters[name]
  const some = fc.dictionary(fc.constantFrom(...Object.keys(properties), 'cwd', '__proto__'), value)
  const usual = Object.fromEntries(required.map((field) => [field, 'x']))

  it('takes arguments that fit plainly as they are', async () => {
    await fc.assert(
      fc.asyncProperty(some, fc.boolean(), async (given, isWhole) => {
        const args = isWhole ? { ...usual, ...given } : given
        if (fitsPlainly(name, args)) expect(schema?.().safeParse(args)).toEqual({ success: true, data: args })
      }),
      { numRuns: 1_000 },
    )
  })

  it('needs no schema for the usual ones', () => {
    expect(fitsPlainly(name, usual)).toBe(true)
  })
})

it('needs the schema for what must be refused, read otherwise or named', () => {
  const command = 'ls'
  const others: readonly JsonValue[] = [
    {},
    null,
    'ls',
    { command: '' },
    { command: ['ls'] },
    { command, timeout: 0 },
    { command, timeout: 1.5 },
    { command, timeout: '5' },
    { command, on_timeout: 'KILL' },
    { command, background: 'true' },
    { command, sandbox: null },
    { command, cwd: '/' },
    { command, run_in_background: true },
  ]
  expect(others.filter((args) => fitsPlainly('bash', args))).toEqual([])
})
