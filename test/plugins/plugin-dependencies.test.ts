import { expect, it } from 'vitest'
import { readDependencies } from '../../src/plugins/plugin-dependencies.ts'

it.each([
  [['base'], [{ name: 'base' }]],
  [['base@ours'], [{ name: 'base', marketplace: 'ours' }]],
  [
    [{ name: 'base', marketplace: 'ours', version: '~2.1.0' }],
    [{ name: 'base', marketplace: 'ours', version: '~2.1.0' }],
  ],
  [{ base: '^1.0.0' }, [{ name: 'base', version: '^1.0.0' }]],
  ['base', [{ name: 'base' }]],
  [undefined, []],
  [['../evil', 7, 'good'], [{ name: 'good' }]],
])('reads %j', (dependencies, expected) => {
  const notes: string[] = []
  const manifest = dependencies === undefined ? {} : { dependencies }
  expect(readDependencies(manifest, (text) => notes.push(text))).toEqual(expected)
  expect(notes.length).toBe(Array.isArray(dependencies) ? dependencies.length - expected.length : 0)
})
