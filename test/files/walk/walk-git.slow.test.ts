import { execFileSync } from 'node:child_process'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { walk } from '../../../src/files/walk/walk.ts'
import { anyTree, inTree } from '../../support/folders/trees.ts'
import { root as project } from '../../support/programs/world.ts'
import { type Folder, temporaryFolder } from '../folder.ts'

let folder: Folder
beforeEach(async () => {
  folder = await temporaryFolder()
})
afterEach(() => folder.remove())

/** A git that ignores all settings outside the tree. */
function git(cwd: string, ...args: readonly string[]): string {
  const env = {
    PATH: process.env['PATH'] ?? '',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
  }
  return execFileSync('git', ['-c', 'core.excludesFile=/dev/null', ...args], { cwd, env }).toString()
}

function listedByGit(root: string, pattern = '**'): readonly string[] {
  const listed = git(root, 'ls-files', '-z', '-co', '--exclude-standard', '--', `:(glob)${pattern}`)
  return listed.split('\0').filter(Boolean).sort()
}

async function walked(root: string, pattern = '**'): Promise<readonly string[]> {
  const paths: string[] = []
  const { signal } = new AbortController()
  for await (const path of walk(root, { signal, pattern })) paths.push(relative(root, path))
  return paths.sort()
}

it('finds the same files as git in a real tree', async () => {
  const packages = ['@types', 'zod', 'marked', 'react']
  await mkdir(folder.at('node_modules'))
  for (const name of packages) {
    await cp(join(project, 'node_modules', name), folder.at(`packages/${name}`), { recursive: true })
  }
  await folder.put('node_modules/gone.js')
  await writeFile(
    folder.at('.gitignore'),
    'node_modules/\n*.map\n/packages/zod/**/tests/\n*.d.ts\n!index.d.ts\n',
  )
  await writeFile(folder.at('packages/zod/.gitignore'), '*.cjs\nv3/*\n!v3/helpers\n')
  git(folder.root, 'init', '--quiet')
  const found = await walked(folder.root)
  expect(found.length).toBeGreaterThan(300)
  expect(found).toEqual(listedByGit(folder.root))
  for (const pattern of [
    '**/*.json',
    'packages/*/*.js',
    '**/v4/**',
    'packages/zod/src/**/[a-f]*.ts',
    '**/?s.js',
  ]) {
    const matching = await walked(folder.root, pattern)
    expect({ pattern, some: matching.length > 0, matching }).toEqual({
      pattern,
      some: true,
      matching: listedByGit(folder.root, pattern),
    })
  }
})

it('finds the same files as git in any tree', async () => {
  const property = fc.asyncProperty(anyTree(['.gitignore']), async (tree) => {
    await inTree(tree, async (root) => {
      git(root, 'init', '--quiet')
      expect(await walked(root)).toEqual(listedByGit(root))
    })
  })
  await fc.assert(property, { numRuns: 25 })
})

it('reads any pattern of wildcards like git', async () => {
  const names = ['a', 'b', 'ab', 'ba', 'aab', 'abab']
  const folders = ['', 'a', 'ab', 'a/b', 'a/ab', 'b/a/a', 'a/b/a/b']
  const root = folder.root
  for (const one of folders) for (const name of names) await folder.put(join(one, `${name}.x`))
  git(root, 'init', '--quiet')
  // Some versions of git treat two stars beside a name as more than one.
  const name = fc
    .array(fc.constantFrom('a', 'b', '*', '?', '[ab]', '.x'), { minLength: 1, maxLength: 6 })
    .map((tokens) => tokens.join('').replace(/\*+/g, '*'))
  const patterns = fc
    .array(fc.oneof(name, fc.constant('**')), { minLength: 1, maxLength: 5 })
    .map((parts) => parts.join('/'))
  const property = fc.asyncProperty(fc.array(patterns, { minLength: 1, maxLength: 2 }), async (lines) => {
    await folder.put('.gitignore', lines.join('\n'))
    expect(await walked(root)).toEqual(listedByGit(root))
  })
  await fc.assert(property, { numRuns: 60 })
})
