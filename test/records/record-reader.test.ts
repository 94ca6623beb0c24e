import { describe, expect, it } from 'vitest'
import type { RecordFormat } from '../../src/records/input-record.ts'
import { RecordReader } from '../../src/records/record-reader.ts'
import { thrown } from '../support/thrown.ts'

async function* pieces(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) {
    const piece = bytes.slice(at, at + size)
    yield piece
    // A reader may use its buffer again.
    piece.fill(0x3f)
  }
}

async function readAll(format: RecordFormat, input: string | Uint8Array, size = 1_000) {
  const reader = new RecordReader(format)
  const records = []
  for await (const record of reader.read(pieces(Buffer.from(input), size))) records.push(record)
  return { records, header: reader.header && Buffer.from(reader.header).toString() }
}

const texts = async (format: RecordFormat, input: string, size?: number) =>
  (await readAll(format, input, size)).records.map(({ text, fault }) => fault ?? text)

describe.each([1, 2, 3, 1_000])('in pieces of %i bytes', (size) => {
  it('reads lines, with CR LF or a byte order mark, and none that is blank', async () => {
    expect(await texts('line', '\uFEFFä\r\n\n \t\r\nb c\n\nd', size)).toEqual(['ä', 'b c', 'd'])
  })

  it('reads what ends in NUL', async () => {
    expect(await texts('nul', 'a\nb\r\n\0\0c', size)).toEqual(['a\nb\r\n', 'c'])
  })

  it('reads rows of CSV as objects', async () => {
    const { records, header } = await readAll('csv', 'a,"b ""c"""\r\n"1\r\n,2",3\n\n4,5" pipe\n', size)
    expect(header).toBe('a,"b ""c"""\r')
    expect(records.map(({ fields }) => fields)).toEqual([
      { a: '1\r\n,2', 'b "c"': '3' },
      { a: '4', 'b "c"': '5" pipe' },
    ])
  })

  it('keeps the bytes as they came in, and tells how far the input is read', async () => {
    const { records } = await readAll('line', 'a\r\n\nbc\n', size)
    expect(records.map(({ index, raw, end }) => [index, Buffer.from(raw).toString(), end])).toEqual([
      [1, 'a\r', 3],
      [2, 'bc', 7],
    ])
  })
})

describe('a record that cannot be read', () => {
  it.each<[RecordFormat, string | Uint8Array, RegExp]>([
    ['ndjson', '{"a":', /^it is not JSON: /],
    ['line', Uint8Array.of(0xff, 0xfe, 0x41), /^it is not UTF-8/],
    ['csv', 'a,b\n1', /^it has 1 fields, and the header has 2$/],
    ['csv', 'a\n"1', /^a quote is not closed$/],
    ['csv', 'a\n"1"2', /^text follows the closing quote of field 1$/],
    ['ndjson', `${'['.repeat(300_000)}${']'.repeat(300_000)}`, /^it nests deeper than 200 levels$/],
    ['line', 'x'.repeat(2 ** 20 + 1), /^it has 1048577 bytes, and a record may have 1048576$/],
  ])('is told of: %s', async (format, input, fault) => {
    const { records } = await readAll(format, input)
    expect(records).toMatchObject([{ index: 1, text: '', fault: expect.stringMatching(fault) }])
  })

  it('is the whole input if that is the header of CSV', async () => {
    expect(await thrown(() => texts('csv', 'a,a\n1,2\n'))).toMatchObject({
      code: 'input',
      message: 'the header of the CSV has the field "a" twice',
    })
  })
})

describe('an input that is cut', () => {
  it('has the whole records alone', async () => {
    const cut = new AbortController()
    async function* interrupted() {
      yield Buffer.from('one\ntwo\nthr')
      cut.abort()
    }
    const found = []
    for await (const { text } of new RecordReader('line', { signal: cut.signal }).read(interrupted()))
      found.push(text)
    expect(found).toEqual(['one', 'two'])
  })
})
