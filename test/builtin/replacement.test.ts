import fc from 'fast-check'
import { expect, it } from 'vitest'
import { replaceText } from '../../src/builtin/replacement.ts'

const ends = fc.constantFrom('\n', '\r\n')
const lines = fc.array(fc.tuple(fc.constantFrom('', 'a', 'b', 'é😀'), ends), { maxLength: 12 })
const textOf = (parts: readonly (readonly [string, string])[]) =>
  parts.map(([line, end]) => line + end).join('')

it('touches only what lies between the ends of the two texts, whatever the line ends', () => {
  fc.assert(
    fc.property(
      lines,
      lines,
      lines,
      fc.string({ minLength: 1, maxLength: 3 }),
      (before, middle, after, put) => {
        const oldText = `<${textOf(middle)}>`
        const text = textOf(before) + oldText + textOf(after)
        const asked = oldText.replaceAll('\r\n', '\n')
        const result = replaceText(text, { oldText: asked, newText: `${asked}${put}`, replaceAll: false })
        expect(result).toMatchObject({ type: 'replaced', count: 1 })
        if (result.type !== 'replaced') return
        expect(result.text.startsWith(textOf(before) + oldText)).toBe(true)
        expect(result.text.endsWith(textOf(after))).toBe(true)
      },
    ),
    { numRuns: 200 },
  )
})

it('replacing all and back gives the text again', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('x', 'y', '\r\n'), { maxLength: 30 }), (parts) => {
      const text = parts.join('')
      const there = replaceText(text, { oldText: 'x', newText: '[z]', replaceAll: true })
      if (there.type !== 'replaced') return
      const back = replaceText(there.text, { oldText: '[z]', newText: 'x', replaceAll: true })
      expect(back).toEqual({ type: 'replaced', text, count: there.count })
    }),
    { numRuns: 200 },
  )
})
