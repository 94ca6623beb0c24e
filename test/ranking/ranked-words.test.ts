import { describe, expect, it } from 'vitest'
import { queryTerms, visitWords } from '../../src/ranking/ranked-words.ts'

function termsOf(text: string): readonly string[] {
  const terms: string[] = []
  visitWords(text, (term) => terms.push(term))
  return terms
}

describe('the words of a text', () => {
  it.each([
    ['The lock, once TAKEN: "gone"!', ['the', 'lock', 'once', 'taken', 'gone']],
    ['openHTTPServer2', ['openhttpserver2', 'open', 'http', 'server2']],
    ['session_store.ts', ['session_store', 'session', 'store', 'ts']],
    ['Müller café ﬁle Ⅻ İstanbul', ['muller', 'cafe', 'file', 'xii', 'istanbul']],
    ['привет мир', ['привет', 'мир']],
    ['数据库连接', ['数据', '据库', '库连', '连接', '接']],
    ['ロックfileを', ['ロッ', 'ック', 'ク', 'file', 'を']],
    ['हिन्दी', ['हिन्दी']],
    [`${'x'.repeat(65)} short`, ['short']],
    ['… — !?', []],
    ['', []],
  ])('%s', (text, terms) => {
    expect(termsOf(text)).toEqual(terms)
  })

  it('have their positions in the text', () => {
    const text = 'A ﬁne readFile 数据'
    const found: string[] = []
    visitWords(text, (_, start, end) => found.push(text.slice(start, end)))
    expect(found).toEqual(['A', 'ﬁne', 'readFile', 'read', 'File', '数据', '据'])
  })
})

it('a query holds each word once, and no lone end of a text without blanks', () => {
  expect(queryTerms('lock Lock 数据库 库')).toEqual(['lock', '数据', '据库', '库'])
})
