import { expect, it } from 'vitest'
import { inColumns } from '../../../src/ink/rows/in-columns.ts'

it('moves a bar to its column only behind text that terminals measure in different ways', () => {
  expect(inColumns('日本│')).toBe('日本│')
  expect(inColumns('กำ │')).toBe('กำ \u001b[4G│')
})

it('moves what follows a gap of two spaces, styles and all', () => {
  expect(inColumns('\u001b[1mกำ\u001b[22m  \u001b[2mfact\u001b[22m')).toBe(
    '\u001b[1mกำ\u001b[22m  \u001b[2m\u001b[5Gfact\u001b[22m',
  )
  expect(inColumns('กำ word')).toBe('กำ word')
})
