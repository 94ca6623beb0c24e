import { createInterface } from 'node:readline/promises'
import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { TypedLines } from '../../src/line/typed-lines.ts'

const { signal } = new AbortController()

it('ends after the lines that were typed, also if the input ended while nobody asked', async () => {
  const input = new PassThrough()
  const lines = createInterface({ input, output: new PassThrough() })
  const typed = new TypedLines(lines, () => undefined)
  input.end('one\n')
  await new Promise<void>((resolve) => lines.once('close', resolve))
  expect(await typed.next(signal)).toBe('one')
  expect(await typed.next(signal)).toBe(undefined)
  expect(await typed.ask('Sure?', signal)).toBe(undefined)
})
