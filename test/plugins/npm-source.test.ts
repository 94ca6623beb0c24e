import { expect, it } from 'vitest'
import { readPackage } from '../../src/plugins/npm-source.ts'
import {
  decodeSource,
  describeSource,
  encodeSource,
  readEntrySource,
} from '../../src/plugins/plugin-source.ts'

it.each([
  ['npm:tools', { type: 'npm', package: 'tools' }],
  ['npm:tools@1.2.3', { type: 'npm', package: 'tools', version: '1.2.3' }],
  ['npm:tools@^1.2.0 || >=3', { type: 'npm', package: 'tools', version: '^1.2.0 || >=3' }],
  ['npm:@acme/tools', { type: 'npm', package: '@acme/tools' }],
  ['npm:@acme/tools@next', { type: 'npm', package: '@acme/tools', version: 'next' }],
])('%s is read', (text, source) => {
  expect(readPackage(text)).toEqual({ type: 'ok', value: source })
})

it.each([
  ...['npm:', 'npm:-g', 'npm:--registry=http://x', 'npm:../x', 'npm:./x', 'npm:/etc', 'npm:a/b', 'npm:.x'],
  ...[
    'npm:x.tgz',
    'npm:x.tar.gz',
    'npm:http://x/y',
    'npm:git+ssh://x',
    'npm:@a',
    'npm:@a/../b',
    'npm:a\u001bb',
  ],
  ...['npm:x@file:../y', 'npm:x@../y', 'npm:x@npm:evil', 'npm:x@git+https://y', 'npm:x@http://y/z.tgz'],
  ...['npm:x@', 'npm:x@-g', 'npm:x@y.tgz', 'npm:x@acme/tools', 'npm:x@1\n2', `npm:${'x'.repeat(300)}`],
])('%s names no package', (text) => {
  expect(readPackage(text)?.type).toBe('refused')
})

it('another word is no package', () => {
  expect(readPackage('./npm:tools')).toBeUndefined()
})

it.each([
  [
    'file:///etc',
    'http://x y',
    'https://ann:secret@x',
    'https://-x',
    'ftp://x',
    '--x',
    'https://x/?a=b',
    'https://x/\u001b',
  ],
])('registries that hide something are refused', (...registries) => {
  for (const registry of registries)
    expect(readEntrySource({ source: 'npm', package: 'x', registry }, '')).toEqual({
      type: 'refused',
      reason: expect.stringContaining('is no address of a registry'),
    })
})

it('the source of an entry is read, written, read again and named', () => {
  const entry = { source: 'npm', package: '@acme/x', version: '~1.2', registry: 'https://npm.example.org/a/' }
  const read = readEntrySource(entry, '')
  const source = {
    type: 'npm',
    package: '@acme/x',
    version: '~1.2',
    registry: 'https://npm.example.org/a/',
  } as const
  expect(read).toEqual({ type: 'ok', value: source })
  expect(decodeSource(encodeSource(source))).toEqual(source)
  expect(describeSource(source)).toBe('npm:@acme/x@~1.2 from https://npm.example.org/a/')
  expect(decodeSource({ type: 'npm', package: '../x' })).toBeUndefined()
})
