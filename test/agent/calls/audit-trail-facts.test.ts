import { expect, it } from 'vitest'
import { effects } from '../../../src/agent/calls/audit-trail-facts.ts'

it('names the files that a call changed, by their hashes, and where one was moved', () => {
  const diff = '--- a/a.txt\n+++ b/a.txt\n'
  expect(effects({ path: 'a.txt', before: 'b1', after: 'a1', diff })).toEqual({
    files: [{ path: 'a.txt', before: 'b1', after: 'a1' }],
  })
  expect(effects({ path: 'b.txt', from: 'a.txt', after: 'a1' })).toEqual({
    moved: { from: 'a.txt', to: 'b.txt' },
  })
  expect(effects({ exit_code: 1, output: 'text' })).toEqual({ exit_code: 1 })
})
