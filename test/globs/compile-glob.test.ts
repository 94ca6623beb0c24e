import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { escapeGlob, globFolder, parseGlob } from '../../src/globs/compile-glob.ts'
import { growth } from '../support/cost.ts'
import { quickIt as it, sized, sizedIt } from '../support/thorough.ts'

describe('a glob', () => {
  it.each([
    ['/p/*.ts', ['/p/a.ts', '/p/.ts', '/p/a.b.ts'], ['/p/a.tsx', '/p/x/a.ts', '/a.ts']],
    ['/p/a*b*c', ['/p/abc', '/p/axxbybc', '/p/abbc'], ['/p/ab/c', '/p/acb']],
    ['/p/*a*', ['/p/a', '/p/bab'], ['/p/b', '/p/a/b']],
    ['/p/**/x', ['/p/x', '/p/a/x', '/p/a/b/x'], ['/p/ax', '/x']],
    ['/p/**', ['/p/a', '/p/a/b'], ['/p', '/q/a']],
    ['**/a**/b', ['a/b', 'axx/b', 'x/axx/y/b', 'a/a/b'], ['x/b', 'x/ab/ab']],
    ['/p/?[ab]*', ['/p/xa', '/p/xbcd'], ['/p/xc', '/p/a']],
    ['[!a-c^]x', ['dx', '-x'], ['bx', '^x', '/x', 'x']],
    ['[[:digit:]_]', ['7', '_'], ['x', '[', ':']],
    ['[[:punct:]]x[[:blank:]]', ['-x ', '~x\t'], ['ax ', '-xa']],
    ['[[=e=][.-.]]', ['e', '-'], ['=', 'x', '.']],
    ['[]a]', [']', 'a'], ['[]a]', 'b']],
    ['\\[a]\\*\\\\', ['[a]*\\'], ['a*\\', '[a]x\\']],
    ['a[b', ['a[b'], ['ab']],
    ['?', ['a', '😀', '\n'], ['', 'ab', '/']],
    ['{a,b}', ['{a,b}'], ['a', 'b']],
    ['!(a)', ['!(a)'], ['b']],
  ])('%j matches exactly these paths', (pattern, matching, others) => {
    const { matches } = parseGlob(pattern)
    expect(matching.filter((path) => !matches(path))).toEqual([])
    expect(others.filter(matches)).toEqual([])
  })

  it.each([
    ['a*/b', { crosses: true }, ['a/b', 'a/x/b', 'axx/b'], ['a/', 'b/b']],
    ['a?[!x]c', { crosses: true }, ['a//c', 'ab/c'], ['a/xc']],
    ['a**/b', { wholeNames: true }, ['a/b', 'axx/b'], ['a/x/b']],
    ['**/b/**', { wholeNames: true }, ['b/x', 'a/b/x/y'], ['b', 'ab/x']],
    ['[a-z]É*', { ignoresCase: true }, ['AéX', 'zÉ'], ['ée']],
    ['.[[:alpha:]]n[[:lower:]]', { ignoresCase: true }, ['.env', '.ENV'], ['.1nv', '.en1']],
    ['[^a]ſ', { ignoresCase: true }, ['bſ'], ['Aſ', 'bs']],
    ['!(*.ts|.*)', { groups: true }, ['a.js', 'a.ts.js', 'a.b'], ['a.ts', '.a', 'x/a.js']],
    ['a@(b|c*)?(d)', { groups: true }, ['ab', 'abd', 'acd', 'acxyd'], ['a', 'ad', 'abdd']],
    ['+(ab|c)*(d)', { groups: true }, ['ab', 'abcab', 'cdd'], ['', 'dd', 'abx']],
    ['(a)@(b', { groups: true }, ['(a)@(b'], ['ab']],
    ['@(x|!(a|b))/c', { groups: true }, ['x/c', 'y/c', 'ab/c'], ['a/c', 'y/d/c']],
  ])('%j with %j matches exactly these', (pattern, options, matching, others) => {
    const { matches } = parseGlob(pattern, options)
    expect(matching.filter((path) => !matches(path))).toEqual([])
    expect(others.filter(matches)).toEqual([])
  })

  it.each([
    ['src/*.ts', ['src'], ['lib', 'src/deep', 'sr']],
    ['src/permission/**', ['src', 'src/permission', 'src/permission/a/b'], ['lib', 'src/perm']],
    ['**/x', ['a', 'a/b', 'x'], []],
    ['*/b/*', ['a', 'a/b'], ['a/c', 'a/b/c']],
    ['!(a)/b', ['c'], ['a', 'c/b']],
  ])('%j reaches below exactly these folders', (pattern, reached, others) => {
    const { reaches } = parseGlob(pattern, { groups: true })
    expect(reached.filter((folder) => !reaches(folder))).toEqual([])
    expect(others.filter(reaches)).toEqual([])
  })

  it('is well-formed unless a bracket is open or a backslash escapes nothing', () => {
    const broken = ['[', 'a[b', 'a\\', '[]', '[\\]']
    expect(['a', '[a]', '\\[', ']', '[]]', '\\\\'].filter((one) => !parseGlob(one).isWellFormed)).toEqual([])
    expect(broken.filter((one) => parseGlob(one).isWellFormed)).toEqual([])
  })

  it('matches any text literally once it is escaped', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'*?[]!\\-a/\n'), maxLength: 8 })
    const property = fc.property(letters, letters, (text, other) => {
      const { matches } = parseGlob(escapeGlob(text))
      expect([matches(text), matches(other)]).toEqual([true, other === text])
    })
    fc.assert(property)
  })

  sizedIt('matches what trying every way finds', () => {
    const token = fc.constantFrom('a', 'b', '/', '*', '**', '?', '[ab]', '[!a]', '**/')
    const pattern = fc
      .array(token, { maxLength: 8 })
      .map((tokens) => tokens.join('').replace(/\*{3,}/g, '**'))
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 10 })
    const property = fc.property(pattern, text, fc.boolean(), (glob, path, crosses) => {
      const { matches, reaches } = parseGlob(glob, { crosses })
      const found = matches(path)
      expect({ glob, path, found }).toEqual({ glob, path, found: tryAll(glob, path, crosses) })
      const slash = path.lastIndexOf('/')
      if (found && slash !== -1 && !path.endsWith('/')) expect(reaches(path.slice(0, slash))).toBe(true)
    })
    fc.assert(property, { numRuns: sized(2_000, 400) })
  })

  it.each([
    ['*a*a*a*a*b', (size: number) => 'a'.repeat(size)],
    ['**/a/**/a/**/a/**/b', (size: number) => `${'a/'.repeat(size / 2)}a`],
    ['**a**a**a**b', (size: number) => 'a/'.repeat(size / 2)],
    ['**/*a*a*a*b/**/*a*a*a*b', (size: number) => `${'a'.repeat(99)}/`.repeat(size / 100)],
    ['@(a|*a)*(a|?a)b', (size: number) => 'a'.repeat(size)],
  ])('does not try every way to match %s', async (pattern, path) => {
    const decide = (size: number) => {
      const { matches } = parseGlob(pattern, { groups: true })
      return Array.from({ length: 10 }, () => matches(path(size)))
    }
    expect(new Set(decide(1_600))).toEqual(new Set([false]))
    expect(await growth(decide, 1_600)).toBeLessThan(1_000)
  })

  it.each(['[', '[\\]', '?*', '[a]'])('of 100,000 parts is parsed and matched: %j', (part) => {
    expect(parseGlob(part.repeat(100_000)).matches('aaa')).toBe(false)
  })
})

/** Matches by trying every way. */
function tryAll(glob: string, text: string, crosses: boolean, isStart = true): boolean {
  const rest = (length: number, at: number) =>
    tryAll(glob.slice(length), text.slice(at), crosses, glob[length - 1] === '/')
  const isTaken = (pattern: RegExp) => pattern.test(text)
  if (glob === '') return text === ''
  if (glob.startsWith('**/') && isStart && !crosses) {
    const ends = [...text].flatMap((letter, i) => (letter === '/' ? [i + 1] : []))
    return [0, ...ends].some((end) => rest(3, end))
  }
  if (glob.startsWith('*')) {
    const isAny = crosses || glob.startsWith('**')
    const most = isAny ? text.length : (/^[^/]*/.exec(text)?.[0].length ?? 0)
    return Array.from({ length: most + 1 }, (_, end) => end).some((end) =>
      rest(glob.startsWith('**') ? 2 : 1, end),
    )
  }
  if (glob.startsWith('?')) return isTaken(crosses ? /^./s : /^[^/]/) && rest(1, 1)
  if (glob.startsWith('[ab]')) return isTaken(/^[ab]/) && rest(4, 1)
  if (glob.startsWith('[!a]')) return isTaken(crosses ? /^[^a]/ : /^[^a/]/) && rest(4, 1)
  return text[0] === glob[0] && rest(1, 1)
}

it('the folder of a glob is the one above its first wildcard', () => {
  expect(['/a/b/*.ts', '/a/b?/c', '/[a]', '/a/b'].map(globFolder)).toEqual(['/a/b', '/a', '/', '/a/b'])
})
