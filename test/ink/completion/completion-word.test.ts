import { describe, expect, it } from 'vitest'
import { completionWord } from '../../../src/ink/completion/completion-word.ts'

/** Finds the word at the `|`, as its kind, its query and the part of the text that a choice replaces. */
function wordAt(marked: string) {
  const cursor = marked.indexOf('|')
  const text = marked.replace('|', '')
  const word = completionWord(text, cursor)
  return word && [word.type, word.query, text.slice(word.start, word.end)]
}

describe('the word to complete', () => {
  it.each([
    ['/|', 'command', '', '/'],
    ['/mo|', 'command', 'mo', '/mo'],
    ['/mode |', 'argument', '', ''],
    ['/mode pl|', 'argument', 'pl', 'pl'],
    ['@|', 'file', '', '@'],
    ['read @src/a|', 'file', 'src/a', '@src/a'],
    ['read\n@a|', 'file', 'a', '@a'],
    ['@a| and b', 'file', 'a', '@a'],
    ['see @"my no|', 'file', 'my no', '@"my no'],
    ['see @"my no|" now', 'file', 'my no', '@"my no"'],
    ["see @'it is|", 'file', 'it is', "@'it is"],
    [String.raw`see @my\ no|`, 'file', 'my no', String.raw`@my\ no`],
    ['ask @agent:re| now', 'argument', 're', 're'],
    ['as in @session:|', 'argument', '', ''],
    ['see @"agent:a|"', 'file', 'agent:a', '@"agent:a"'],
    ['/rename @a|', 'argument', '@a', '@a'],
  ])('of %j is a %s: %j', (marked, ...expected) => {
    expect(wordAt(marked)).toEqual(expected)
  })

  it.each([
    '|',
    'a|',
    '!cat @a|',
    'me@a.txt|',
    '@a |',
    '@a|b',
    '/usr/bin|',
    ' /mo|',
    '/mode pl|an',
    '/mode\npl|',
  ])('is none in %j', (marked) => {
    expect(wordAt(marked)).toBeUndefined()
  })

  it('is found in a draft of a million characters without reading it', () => {
    const draft = `${'word '.repeat(200_000)}@a`
    expect(completionWord(draft, draft.length)).toMatchObject({ type: 'file', query: 'a' })
  })
})
