import { expect, it } from 'vitest'
import { diffContent, diffLocations } from '../../src/acp/diff-content.ts'

const diff = [
  '--- a.txt',
  '+++ a.txt',
  '@@ -1,3 +1,3 @@',
  ' one',
  '-two',
  '+2',
  ' three',
  '@@ -10 +10,2 @@',
  ' ten',
  '+eleven',
  '\\ No newline at end of file',
].join('\n')

it('shows each hunk before and after', () => {
  expect(diffContent('/a.txt', diff)).toEqual([
    { type: 'diff', path: '/a.txt', oldText: 'one\ntwo\nthree', newText: 'one\n2\nthree' },
    { type: 'diff', path: '/a.txt', oldText: 'ten', newText: 'ten\neleven' },
  ])
  expect(diffLocations('/a.txt', diff)).toEqual([
    { path: '/a.txt', line: 1 },
    { path: '/a.txt', line: 10 },
  ])
})

it('shows a new file without what was before', () => {
  expect(diffContent('/b', '@@ -0,0 +1 @@\n+new')).toEqual([
    { type: 'diff', path: '/b', oldText: null, newText: 'new' },
  ])
})
