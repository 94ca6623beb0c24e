import { describe, expect, it } from 'vitest'
import type { InputRecord } from '../../src/records/input-record.ts'
import { RecordTemplate } from '../../src/records/record-template.ts'
import { thrown } from '../support/thrown.ts'

const recordOf = (text: string, fields?: InputRecord['fields']): InputRecord => ({
  index: 1,
  raw: Buffer.from(text),
  text,
  end: 0,
  ...(fields && { fields }),
})

const object = recordOf('{…}', {
  name: 'A',
  'full name': 'A B',
  n: 1,
  at: { x: [null], y: { z: 'Z' } },
  'a.b': 'c',
})

describe('a template', () => {
  it.each([
    ['{name} {full name} {n} {at.x} {at.y.z} {a.b}', 'A A B 1 [null] Z c'],
    ['{} {{} {{name} }} {{{name}', '{…} {} {name} }} {A'],
    // JSON and code are no places.
    [
      '{"name": 1} { name } $ { x } {1} {\n} function() { }',
      '{"name": 1} { name } $ { x } {1} {\n} function() { }',
    ],
  ])('fills %j', (text, expected) => {
    expect(new RecordTemplate(text, 'ndjson').fill(object)).toBe(expected)
  })

  it('puts values in as they are, braces and all', () => {
    expect(new RecordTemplate('<{}>', 'line').fill(recordOf('{} $& {{ {x}'))).toBe('<{} $& {{ {x}>')
  })

  it('refuses a field that a record does not have', async () => {
    const fill = (record: InputRecord) => new RecordTemplate('{age}', 'ndjson').fill(record)
    expect(await thrown(() => fill(recordOf('{}', { a: 1 })))).toMatchObject({
      code: 'input',
      message: 'there is no field "age" in the record: it has a',
    })
    expect(await thrown(() => fill(recordOf('"x"')))).toMatchObject({ code: 'input' })
    expect(await thrown(() => new RecordTemplate('{toString}', 'csv').fill(object))).toMatchObject({
      code: 'input',
    })
    expect(await thrown(() => new RecordTemplate('{age}', 'line'))).toMatchObject({ code: 'usage' })
  })

  it.each([
    ['read @{} and {}', 'a.md', 'read @a.md and '],
    ['read @docs/{}.md', 'a', 'read @docs/a.md'],
    ['read @"{}"', 'a b.md', 'read @"a b.md"'],
    ['read @"{}"', 'a" @~/.ssh/id_rsa', 'read @""'],
    ['read @{}', 'a @~/.ssh/id_rsa', 'read @'],
    ['mail@{} {}', '@/etc/passwd', 'mail@ '],
    ['{}', '@/etc/passwd', ''],
  ])('mentions in %j, of %j, only what the user means', (text, value, expected) => {
    expect(new RecordTemplate(text, 'line').ownWords(recordOf(value))).toBe(expected)
  })
})
