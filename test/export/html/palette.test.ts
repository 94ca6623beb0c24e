import { describe, expect, it } from 'vitest'
import { dark, light, type Palette } from '../../../src/export/html/palette.ts'

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

/** Relative luminance (WCAG 2). */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (high + 0.05) / (low + 0.05)
}

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
