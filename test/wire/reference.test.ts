import { describe, expect, it } from 'vitest'
import { formatReference, parseReference } from '../../src/wire/reference.ts'

describe('a reference', () => {
  it.each([
    ['a.ts:10-40', { kind: 'file_range', path: 'a.ts', lineStart: 10, lineEnd: 40 }, 'a.ts:10-40'],
    ['@src/./a.ts:7', { kind: 'file_range', path: 'src/a.ts', lineStart: 7, lineEnd: 7 }, 'src/a.ts:7-7'],
    ['a.ts#L3-L5', { kind: 'file_range', path: 'a.ts', lineStart: 3, lineEnd: 5 }, 'a.ts:3-5'],
    ['a.ts#L3', { kind: 'file_range', path: 'a.ts', lineStart: 3, lineEnd: 3 }, 'a.ts:3-3'],
    ['./plan.md#goals', { kind: 'outline_anchor', sectionId: 'plan.md#goals' }, 'plan.md#goals'],
    ['asset:logo', { kind: 'asset', assetId: 'logo' }, 'asset:logo'],
    ['@cite:knuth84', { kind: 'citation', citeKey: 'knuth84' }, 'cite:knuth84'],
  ])('%s is read, and written so that it is read again', (text, ref, written) => {
    const read = parseReference(text)
    expect(read).toEqual(ref)
    expect(read && formatReference(read)).toBe(written)
    expect(parseReference(written)).toEqual(ref)
  })

  it.each([
    'a.ts',
    'a.ts:',
    'a.ts:0-3',
    'a.ts:5-3',
    '../a.ts:1',
    '/a.ts:1',
    '/plan.md#x',
    '#goals',
    'asset:',
    '',
  ])('%j is none', (text) => expect(parseReference(text)).toBeUndefined())
})
