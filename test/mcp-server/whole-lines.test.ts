import { expect, it } from 'vitest'
import { wholeLines } from '../../src/mcp-server/whole-lines.ts'

async function* bytes(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text)
}

async function linesOf(...texts: readonly string[]): Promise<readonly string[]> {
  const lines = []
  for await (const line of wholeLines(bytes(...texts))) lines.push(Buffer.from(line).toString())
  return lines
}

it('joins pieces to whole lines, however they are cut', async () => {
  expect(await linesOf('{"a"', ':1}', '\n{"b":2}\n{"c"', ':3}\n')).toEqual([
    '{"a":1}\n{"b":2}\n',
    '{"c":3}\n',
  ])
})

it('passes lines that came together on together, and drops an end without a line', async () => {
  expect(await linesOf('1\n2\n3', '')).toEqual(['1\n2\n'])
})

it('takes away the mark of byte order at the very beginning alone', async () => {
  expect(await linesOf('\ufeff1\n', '\ufeff2\n')).toEqual(['1\n', '\ufeff2\n'])
})

it('ends with an error before a line fills the memory', async () => {
  const endless = async () => {
    async function* pieces(): AsyncGenerator<Uint8Array> {
      const piece = Buffer.alloc(32 * 1_024 * 1_024, 'x')
      for (;;) yield piece
    }
    for await (const _ of wholeLines(pieces()));
  }
  await expect(endless()).rejects.toThrow('larger than 134217728 bytes')
})
