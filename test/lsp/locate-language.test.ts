import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { locateLanguage } from '../../src/lsp/locate-language.ts'
import { languagesOf } from '../../src/lsp/usual-languages.ts'
import type { LanguageSetup } from '../../src/machine/language-setup.ts'
import { folderWith } from '../support/folders/folder.ts'

const odd: LanguageSetup = { name: 'odd', command: ['odd-server', '--stdio'], languageIds: { '.odd': 'odd' } }

async function programs(...paths: readonly string[]) {
  const folder = await folderWith(Object.fromEntries(paths.map((path) => [path, '#!/bin/sh\n'])))
  for (const path of paths) await chmod(join(folder, path), 0o755)
  return folder
}

it('finds a server in absolute entries of the path, never in the project', async () => {
  const folder = await programs('bin/odd-server', 'project/node_modules/.bin/odd-server')
  const project = join(folder, 'project')
  const inProject = join(project, 'node_modules/.bin')
  const where = { except: [project], root: project, home: '/' }
  expect(locateLanguage(odd, { ...where, path: `${inProject}:node_modules/.bin:${folder}/bin` })).toEqual({
    ...odd,
    program: join(folder, 'bin/odd-server'),
  })
  expect(locateLanguage(odd, { ...where, path: `${inProject}:node_modules/.bin` })).toBeUndefined()
})

it('takes a command with a slash as it is, from the folder of the project', async () => {
  const root = await programs('tools/odd-server')
  const own = { ...odd, command: ['tools/odd-server'] }
  expect(locateLanguage(own, { path: '', except: [], root, home: '/' })).toEqual({
    ...own,
    program: join(root, 'tools/odd-server'),
  })
  expect(
    locateLanguage({ ...odd, command: ['/nowhere/x'] }, { path: '', except: [], root, home: '/' }),
  ).toBeUndefined()
})

it('names the copy of TypeScript beside its server, where a project would bring its own', async () => {
  const [typescript] = languagesOf([]).filter(({ name }) => name === 'typescript')
  if (typescript === undefined) throw new Error('unknown')
  const folder = await programs('lib/node_modules/typescript-language-server/lib/cli.mjs', 'bin/other')
  const path = join(folder, 'bin')
  await symlink(
    '../lib/node_modules/typescript-language-server/lib/cli.mjs',
    join(path, 'typescript-language-server'),
  )
  const where = { path, except: [], root: '/', home: '/' }
  expect(locateLanguage(typescript, where)).toContain('it needs typescript/lib/tsserver.js beside it')
  const beside = await folderWith({ 'node_modules/typescript/lib/tsserver.js': '' })
  await symlink(join(beside, 'node_modules/typescript'), join(folder, 'lib/node_modules/typescript'))
  expect(locateLanguage(typescript, where)).toMatchObject({
    initialization: {
      maxTsServerMemory: 3072,
      tsserver: { path: join(folder, 'lib/node_modules/typescript/lib/tsserver.js') },
    },
  })
  const own = { ...typescript, initialization: { tsserver: { path: '/mine' } } }
  expect(locateLanguage(own, where)).toMatchObject({ initialization: { tsserver: { path: '/mine' } } })
})

it('takes a link of rustup for the program only where a toolchain has it', async () => {
  const home = await programs('.cargo/bin/rustup')
  const path = join(home, '.cargo/bin')
  await symlink('rustup', join(path, 'rust-analyzer'))
  const [rust] = languagesOf([]).filter(({ name }) => name === 'rust')
  if (rust === undefined) throw new Error('unknown')
  const where = { path, except: [], root: '/', home }
  expect(locateLanguage(rust, where)).toBeUndefined()
  const folder = join(home, '.rustup/toolchains/stable/bin')
  await mkdir(folder, { recursive: true })
  expect(locateLanguage(rust, where)).toBeUndefined()
  await writeFile(join(folder, 'rust-analyzer'), '')
  expect(locateLanguage(rust, where)).toEqual({ ...rust, program: join(path, 'rust-analyzer') })
})
