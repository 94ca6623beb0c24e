import { expect, it } from 'vitest'
import {
  decodeSource,
  describeSource,
  encodeSource,
  gitSource,
  pathInside,
  readEntrySource,
  readRepository,
} from '../../src/plugins/plugin-source.ts'

const sha = 'b'.repeat(40)

it.each([
  ['https://example.org/a.git', { type: 'git', url: 'https://example.org/a.git' }],
  ['ssh://git@example.org/a.git', { type: 'git', url: 'ssh://git@example.org/a.git' }],
  ['git@example.org:team/a.git', { type: 'git', url: 'git@example.org:team/a.git' }],
  ['file:///srv/a b.git', { type: 'git', url: 'file:///srv/a b.git' }],
  ['acme/tools', { type: 'git', url: 'https://github.com/acme/tools.git' }],
  ['acme/tools#v1.2', { type: 'git', url: 'https://github.com/acme/tools.git', ref: 'v1.2' }],
  [
    'https://example.org/a.git#feature/x',
    { type: 'git', url: 'https://example.org/a.git', ref: 'feature/x' },
  ],
])('the address %s is read', (text, source) => {
  expect(readRepository(text)).toEqual({ type: 'ok', value: source })
})

it.each(['./here', '/abs', 'name@market', '-oProxyCommand=x', 'ext::sh -c x', 'https://-x/', '../a/b'])(
  '%s is no address',
  (text) => {
    expect(readRepository(text)).toBeUndefined()
  },
)

it.each([
  [{ url: 'https://example.org/a', ref: '--upload-pack=touch x' }, 'is no branch or tag'],
  [{ url: 'https://example.org/a', ref: 'a..b' }, 'is no branch or tag'],
  [{ url: 'https://example.org/a', ref: 'a b' }, 'is no branch or tag'],
  [{ url: 'https://example.org/a', sha: 'main' }, 'is no whole commit'],
  [{ url: 'https://example.org/a', sha: '--all' }, 'is no whole commit'],
  [{ url: 'https://example.org/a', path: '../../etc' }, 'leads out'],
  [{ url: '--upload-pack=touch x' }, 'is no address'],
  [{ url: 'ext::sh -c "touch x"' }, 'is no address'],
  [{ url: 'https://example.org/a\u001b[2J' }, 'is no address'],
  [{ url: 'git@-oProxyCommand=x:y' }, 'is no address'],
])('parts that could be options or lead out are refused: %j', (parts, reason) => {
  const read = gitSource(parts)
  expect(read).toEqual({ type: 'refused', reason: expect.stringContaining(reason) })
})

it.each([
  ['./plugins/a', '', { type: 'inside', path: 'plugins/a' }],
  ['./', '', { type: 'inside', path: '' }],
  ['a', './plugins', { type: 'inside', path: 'plugins/a' }],
  [{ source: 'local', path: './plugins/a' }, '', { type: 'inside', path: 'plugins/a' }],
  [
    { source: 'github', repo: 'o/r', ref: 'v1', sha },
    '',
    { type: 'git', url: 'https://github.com/o/r.git', ref: 'v1', sha },
  ],
  [
    { source: 'url', url: 'https://h/r.git', sha, path: 'sub' },
    '',
    { type: 'git', url: 'https://h/r.git', sha, path: 'sub' },
  ],
  [
    { source: 'git-subdir', url: 'o/r', path: './p/q/' },
    '',
    { type: 'git', url: 'https://github.com/o/r.git', path: 'p/q' },
  ],
])('the source %j of a marketplace is read', (value, pluginRoot, source) => {
  expect(readEntrySource(value, pluginRoot)).toEqual({ type: 'ok', value: source })
})

it.each([
  ['../../etc', 'leads out'],
  ['/etc', 'leads out'],
  [{ source: 'npm' }, 'is no name of a package'],
  [{ source: 'pip', package: 'x' }, 'the kind "pip" is not supported'],
  [{ source: 'git-subdir', url: 'https://h/r', path: 'a/../../b' }, 'leads out'],
  [undefined, 'has no source'],
])('the source %j is refused', (value, reason) => {
  expect(readEntrySource(value, '')).toEqual({ type: 'refused', reason: expect.stringContaining(reason) })
})

it('a source is written and read again, and named without a password', () => {
  const source = {
    type: 'git',
    url: 'https://ann:secret@example.org/a',
    ref: 'main',
    sha,
    path: 'p',
  } as const
  expect(decodeSource(encodeSource(source))).toEqual(source)
  expect(describeSource(source)).toBe(`https://…@example.org/a at main, commit ${sha.slice(0, 12)}, folder p`)
  expect(decodeSource({ type: 'folder', path: 'relative' })).toBeUndefined()
  expect(decodeSource({ type: 'git', url: 'ext::x' })).toBeUndefined()
})

it('a path that hides characters leads out', () => {
  expect(pathInside('a\u0000b')).toEqual({ type: 'refused', reason: expect.stringContaining('leads out') })
  expect(pathInside('a\\..\\..\\b')).toEqual({
    type: 'refused',
    reason: expect.stringContaining('leads out'),
  })
})
