import { describe, expect, it } from 'vitest'
import { artifactTypeOf, artifactTypes } from '../../src/machine/artifact.ts'
import { artifactOf } from '../../src/wire/reference.ts'

describe('an artifact', () => {
  it.each([
    ['chapters/01_introduction.tex', 'tex'],
    ['OUTLINE.md', 'outline_md'],
    ['docs/paper-outline.md', 'outline_md'],
    ['brief.md', 'brief_md'],
    ['style-guide.md', 'style_md'],
    ['refs.bib', 'bib'],
    ['figures/plot.PDF', 'figure'],
    ['data/runs.csv', 'data'],
    ['src/a.tsx', 'code'],
    ['README.md', 'other'],
    ['lifestyle.md', 'other'],
    ['Makefile', 'other'],
    ['a.tex/b', 'other'],
  ])('%s is of type %s', (path, type) => expect(artifactTypeOf(path)).toBe(type))

  it('has one of nine types', () => {
    expect(artifactTypes).toEqual([
      ...['tex', 'outline_md', 'brief_md', 'style_md', 'bib', 'figure', 'data', 'code', 'other'],
    ])
  })

  it('is what a reference to a file is about', () => {
    const ref = { kind: 'file_range', path: 'a/b.tex', lineStart: 1, lineEnd: 3 } as const
    expect(artifactOf(ref)).toEqual({ id: 'a/b.tex:1-3', type: 'tex', path: 'a/b.tex' })
    const section = { kind: 'outline_anchor', sectionId: 'outline.md#goals' } as const
    expect(artifactOf(section)).toEqual({ id: 'outline.md#goals', type: 'outline_md', path: 'outline.md' })
    expect(artifactOf({ kind: 'asset', assetId: 'logo' })).toBeUndefined()
    expect(artifactOf({ kind: 'citation', citeKey: 'knuth84' })).toBeUndefined()
  })
})
