import { expect, it } from 'vitest'
import { readCompact } from '../../../src/frontend/slash/compact-call.ts'

it.each([
  ['/compact', { type: 'compact', keep: undefined }],
  ['/compact keep the names\nof all files \n', { type: 'compact', keep: 'the names\nof all files' }],
  ['/compact the names', { type: 'compact', keep: 'the names' }],
  ['/compactor', undefined],
  [' /compact', undefined],
  ['run /compact', undefined],
  [undefined, undefined],
])('reads the prompt %j', (prompt, command) => {
  expect(readCompact(prompt)).toEqual(command)
})
