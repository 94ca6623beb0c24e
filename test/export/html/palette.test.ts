import { describe, expect, it } from 'vitest'
import { dark, light, type Palette } from '../../../src/export/html/palette.ts'
import { contrast } from '../../support/looks/contrast.ts'

const texts = [
  'ink',
  'muted',
  'accent',
  'link',
  'ok',
  'bad',
  'keyword',
  'string',
  'number',
  'comment',
  'name',
  'kind',
] as const

describe.each([
  ['light', light],
  ['dark', dark],
] as const)('the %s colours of a page', (_, palette: Palette) => {
  it('can be read: text has a contrast of at least 4.5', () => {
    const pairs = [
      ...texts.flatMap((text) => [[text, 'paper'] as const, [text, 'panel'] as const]),
      ...(['added', 'addedWord', 'removed', 'removedWord'] as const).map(
        (ground) => ['ink', ground] as const,
      ),
      ...(['added', 'removed'] as const).map((ground) => ['muted', ground] as const),
    ]
    const weak = pairs.filter(([text, ground]) => contrast(palette[text], palette[ground]) < 4.5)
    expect(weak).toEqual([])
  })
})
