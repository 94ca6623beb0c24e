import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { root } from '../support/programs/world.ts'

const run = promisify(execFile)

it('finds the checks of documents as their schemas are now', async () => {
  const { stdout } = await run(process.execPath, ['scripts/generate-checks.js', '--check'], { cwd: root })
  expect(stdout.trim().split('\n')).toEqual([
    'src/json/documents/session-check.generated.ts is up to date',
    'src/json/tasks/check.generated.ts is up to date',
    'src/config/settings-check.generated.ts is up to date',
  ])
})

/** Writes the check of the schema that this expression makes. Returns the source, or the error. */
async function write(schema: string): Promise<string> {
  const source = `
    import * as z from 'zod'
    const { checkSource } = await import(${JSON.stringify(join(root, 'scripts/check-source.js'))})
    const wanted = [{ name: 'isThing', schema: ${schema}, type: 'Thing' }]
    const names = ['isJsonObject', 'isText', 'hasOnly', 'isListOf'].map((name) => [{}, name])
    try { console.log(checkSource(wanted, new Map(names)).source) } catch ({ message }) { console.log(message) }`
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', source], { cwd: root })
  return stdout.trim()
}

it('writes a function for each object', async () => {
  const schema = 'z.strictObject({ name: z.string().min(1), tags: z.array(z.enum(["a", "b"])).optional() })'
  expect(await write(schema)).toBe(
    [
      'export function isThing(value: unknown): value is Thing {',
      '  return hasThingFields(value)',
      '}',
      '',
      'function hasThingFields(value: unknown): boolean {',
      `  return isJsonObject(value) && hasOnly(value, ["name","tags"]) && isText(value['name'], 1) && ` +
        `(value['tags'] === undefined || isListOf(value['tags'], (one) => (one === "a" || one === "b")))`,
      '}',
    ].join('\n'),
  )
})

it.each([
  ['z.string().trim()', 'the check overwrite'],
  ['z.email()', 'the format email'],
  ['z.tuple([z.string()])', 'a schema of type tuple'],
  ['z.looseObject({})', 'an object that keeps other fields'],
  ['z.record(z.enum(["a"]), z.string())', 'a record of all these keys'],
  ['z.string().transform(Number)', 'a schema of type pipe'],
  ['z.custom(function isMine() {})', 'the function isMine, which is not exported'],
])('refuses %s, which it cannot write without loss', async (schema, what) => {
  expect(await write(schema)).toBe(`cannot write a check of Thing: it has ${what}`)
})
