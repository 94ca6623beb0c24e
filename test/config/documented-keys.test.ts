import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'jsonc-parser'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { settingsSchema } from '../../src/config/settings-schema.ts'
import { isJsonObject, type JsonValue } from '../../src/json-value.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/configuration.md'), 'utf8')

/** A node of a JSON Schema, as far as it says which keys there are. */
interface Node {
  readonly properties?: Readonly<Record<string, Node>>
  readonly additionalProperties?: Node | boolean
  readonly items?: Node
  readonly anyOf?: readonly Node[]
}

const nodeSchema: z.ZodType<Node> = z.lazy(() =>
  z.object({
    properties: z.record(z.string(), nodeSchema).exactOptional(),
    additionalProperties: z.union([z.boolean(), nodeSchema]).exactOptional(),
    items: nodeSchema.exactOptional(),
    anyOf: z.array(nodeSchema).exactOptional(),
  }),
)

/** Lists the keys of a schema as paths: `sandbox.mode`, with `*` for names that the user chooses. */
function keysOf(
  { properties = {}, additionalProperties, items, anyOf = [] }: Node,
  at = '',
): readonly string[] {
  return [
    ...Object.entries(properties).flatMap(([key, node]) => [at + key, ...keysOf(node, `${at}${key}.`)]),
    ...(typeof additionalProperties === 'object' ? keysOf(additionalProperties, `${at}*.`) : []),
    ...[items ?? [], anyOf].flat().flatMap((node) => keysOf(node, at)),
  ]
}

/** Lists the keys of an example as paths. */
function pathsOf(value: JsonValue, at = ''): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => pathsOf(item, at))
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => [at + key, ...pathsOf(inner, `${at}${key}.`)])
}

/** Whether a path names a key. `*` stands for any name. */
function matches(path: string, key: string): boolean {
  const [names, parts] = [path.split('.'), key.split('.')]
  return names.length === parts.length && parts.every((part, i) => part === '*' || part === names[i])
}

const keys = [...new Set(keysOf(nodeSchema.parse(z.toJSONSchema(settingsSchema, { io: 'input' }))))]
const examples = Array.from(
  page.matchAll(/```jsonc\n([\s\S]*?)```/g),
  ([, code = '']): JsonValue => parse(code),
)
const inline = Array.from(
  page.matchAll(/`("[a-z_]+": ?[{["\dtf][^`]*)`/g),
  ([, code = '']): JsonValue => parse(`{${code}}`),
)

describe('docs/configuration.md', () => {
  it('shows every key of the settings in an example', () => {
    const shown = examples.flatMap((example) => pathsOf(example))
    expect(keys).toContain('providers.*.quirks.key_header')
    expect(keys.filter((key) => !shown.some((path) => matches(path, key)))).toEqual([])
  })

  it('shows no key in its text that the settings do not have', () => {
    const unknown = inline.flatMap((value) => settingsSchema.safeParse(value).error?.issues ?? [])
    expect(inline).not.toEqual([])
    expect(unknown).toEqual([])
  })

  it('names no key by its path that the settings do not have', () => {
    const tops = new Set(keys.map((key) => key.split('.')[0]))
    const named = Array.from(page.matchAll(/`([a-z_]+(?:\.[a-z_*]+)+)`/g), ([, path = '']) => path)
    const own = named.filter((path) => tops.has(path.split('.')[0]))
    // Routes are names of the user's choice, and no schema has keys below them.
    const known = [...keys, 'routes.*']
    expect(own).toContain('fetch.allow_private')
    expect(own.filter((path) => !known.some((key) => matches(path, key)))).toEqual([])
  })
})
