import { expect, it } from 'vitest'
import {
  namesPluginFolder,
  pluginRootVariable,
  pluginVariables,
  valueWithPluginFolders,
  withPluginFolders,
} from '../../src/machine/plugin-folders.ts'

const folders = { root: '/r', data: '/d' }

it('each variable of a plugin stands for its folder, wherever it stands', () => {
  const texts = Object.keys(pluginVariables(folders))
    .filter((name) => name.includes('PLUGIN'))
    .map((name) => `\${${name}}/x`)
  expect(texts.map((text) => withPluginFolders(text, folders))).toEqual(['/r/x', '/d/x', '/r/x', '/d/x'])
  const value = { args: [pluginRootVariable, 7], env: { A: `a ${pluginRootVariable}/b` } }
  expect(valueWithPluginFolders(value, folders)).toEqual({ args: ['/r', 7], env: { A: 'a /r/b' } })
})

it('other variables stay', () => {
  const other = '$CLAUDE_PLUGIN_ROOTS $HOME'
  expect(withPluginFolders(other, folders)).toBe(other)
  expect([namesPluginFolder(other), namesPluginFolder(pluginRootVariable)]).toEqual([false, true])
})
