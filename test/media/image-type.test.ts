import { expect, it } from 'vitest'
import { isImageData, isImageType } from '../../src/media/image-type.ts'

it('an image type is one that models take and that holds no script', () => {
  const types = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/svg+xml', 'application/pdf', '']
  expect(types.filter(isImageType)).toEqual(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])
})

it.each([
  ['whole data in base64', 'image/png', 'iVBORw0=', true],
  ['data that ends the attribute that holds it', 'image/png', 'iVBO"onerror="', false],
  ['data with a line break', 'image/png', 'iVBO\nRw0=', false],
  ['no data', 'image/png', '', false],
  ['an image of a type that may hold a script', 'image/svg+xml', 'PHN2Zz4=', false],
])('%s is shown or not', (_, mimeType, data, isShown) => {
  expect(isImageData(mimeType, data)).toBe(isShown)
})
