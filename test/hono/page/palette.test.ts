import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { themeOn } from '../../../src/ink/rows/theme.ts'
import { contrast } from '../../support/looks/contrast.ts'
import { root } from '../../support/programs/world.ts'

const css = readFileSync(join(root, 'src/hono/page/style/palette.css'), 'utf8')
const [lightPart = '', darkPart = ''] = css.split('@media')

/** Reads the colours of a scheme by their names. */
const coloursOf = (part: string) =>
  Object.fromEntries([...part.matchAll(/--([\w-]+): (#\w{6});/g)].map(([, name, hex]) => [name, hex]))

const kinds = ['keyword', 'string', 'number', 'comment', 'title', 'type'].map((kind) => `code-${kind}`)
const grounds = ['paper', 'panel', 'raised', 'added', 'removed']

describe.each([
  ['light', coloursOf(lightPart)],
  ['dark', coloursOf(darkPart)],
] as const)('the %s colours of the page', (theme, colours) => {
  const weak = (texts: readonly string[], on: readonly string[]) =>
    texts.flatMap((text) =>
      on.flatMap((ground) => {
        const found = contrast(colours[text] ?? '', colours[ground] ?? '')
        return found >= 4.5 ? [] : [`${text} on ${ground}: ${found}`]
      }),
    )

  it('can be read', () => {
    expect(weak(['ink', 'muted', 'ok', 'bad', ...kinds], grounds)).toEqual([])
    expect(weak(['ink', ...kinds], ['bad-ground'])).toEqual([])
    expect(weak(['ink'], ['added-word', 'removed-word', 'bubble', 'accent-ground'])).toEqual([])
    expect(weak(['on-accent'], ['accent'])).toEqual([])
  })

  it('has the tints that diffs have in the terminal', () => {
    const { tints } = themeOn({ theme, hasTrueColor: true, hasItalics: true })
    const hex = (sgr: string) =>
      `#${sgr
        .split(';')
        .slice(2)
        .map((part) => Number(part).toString(16).padStart(2, '0'))
        .join('')}`
    expect({
      added: colours['added'],
      removed: colours['removed'],
      added_word: colours['added-word'],
      removed_word: colours['removed-word'],
    }).toEqual({
      added: hex(tints.added),
      removed: hex(tints.removed),
      added_word: hex(tints.added_word),
      removed_word: hex(tints.removed_word),
    })
  })
})
