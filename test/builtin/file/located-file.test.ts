import { rename, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDiskStore } from '../../../src/files/writing/disk-store.ts'
import type { JsonObject } from '../../../src/json-value.ts'
import type { ArtifactStore } from '../../../src/machine/artifact.ts'
import { textContent } from '../../../src/message.ts'
import { drainRun, toolContext } from '../../support/conversations/tool-run.ts'
import { createToolbox, type Toolbox } from '../toolbox.ts'

/** Replaces a file or folder of the project with a link to something outside. */
type Exchange = () => Promise<void>

let toolbox: Toolbox
let exchange: Exchange = async () => undefined
/** The swap happens before this call of the store. */
let moment: 'readFile' | 'writeFile' | 'listDir' | undefined

const disk = createDiskStore()
const racing: ArtifactStore = {
  ...disk,
  readFile: async (...args) => {
    if (moment === 'readFile') await exchange()
    return disk.readFile(...args)
  },
  writeFile: async (...args) => {
    if (moment === 'writeFile') await exchange()
    return disk.writeFile(...args)
  },
  listDir: async (...args) => {
    if (moment === 'listDir') await exchange()
    return disk.listDir(...args)
  },
}

beforeEach(async () => {
  moment = undefined
  toolbox = await createToolbox(undefined, { artifacts: racing })
  for (const folder of ['folder', '../outside']) await toolbox.put(`${folder}/a.txt`, `text of ${folder}\n`)
})
afterEach(() => toolbox.close())

/** Swaps `path` of the project for a link to `target`, once. */
function exchanging(path: string, target: string): Exchange {
  return async () => {
    exchange = async () => undefined
    await rename(join(toolbox.cwd, path), join(toolbox.cwd, `${path}.away`))
    await symlink(join(toolbox.cwd, target), join(toolbox.cwd, path))
  }
}

async function call(name: string, args: JsonObject, judgedPath?: string) {
  const context = { ...toolContext(), ...(judgedPath === undefined ? {} : { judgedPaths: [judgedPath] }) }
  const { result } = await drainRun(toolbox.executor.execute(name, args, context))
  return { isError: result.isError, text: textContent(result) }
}

const outside = () => toolbox.get('../outside/a.txt')

describe('PATH-193: a path that leads to a different file than when it was judged', () => {
  const changes: readonly (readonly [string, string, JsonObject])[] = [
    ['write', 'folder/a.txt', { content: 'mine' }],
    ['write', 'folder/new/b.txt', { content: 'mine' }],
    ['edit', 'folder/a.txt', { old_text: 'text', new_text: 'mine' }],
  ]

  it.each([...changes, ['read', 'folder/a.txt', {}] as const])(
    'is refused: %s of %s',
    async (name, path, args) => {
      const judged = join(toolbox.cwd, path)
      await toolbox.call('read', { path: '../outside/a.txt' })
      await exchanging('folder', '../outside')()
      expect(await call(name, { path, ...args }, judged)).toEqual({
        isError: true,
        text: `${path} no longer leads to the file that was judged; try again`,
      })
      expect(await outside()).toBe('text of ../outside\n')
    },
  )

  it.each([
    ['the file', 'folder/a.txt', '../outside/a.txt'],
    ['a folder above it', 'folder', '../outside'],
  ])('after it was resolved is not read if %s was swapped, nor counts as read', async (_, path, target) => {
    exchange = exchanging(path, target)
    moment = 'readFile'
    expect(await call('read', { path: 'folder/a.txt' })).toEqual({
      isError: true,
      text: `cannot read ${toolbox.cwd}/folder/a.txt: it now leads to a different file`,
    })
    expect((await call('write', { path: 'folder/a.txt', content: 'mine' })).text).toContain('not been read')
    expect(await outside()).toBe('text of ../outside\n')
  })

  it('is read by a name beside it that looks the same only in the judged folder', async () => {
    await toolbox.put('folder/e\u0301.txt', 'mine')
    await toolbox.put('../outside/e\u0301.txt', 'theirs')
    const judged = join(toolbox.cwd, 'folder/\u00e9.txt')
    expect((await call('read', { path: 'folder/\u00e9.txt' }, judged)).text).toMatch(/^1\tmine\n/)
    exchange = exchanging('folder', '../outside')
    moment = 'listDir'
    expect(await call('read', { path: 'folder/\u00e9.txt' }, judged)).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^folder\/\u00e9\.txt does not exist; beside it is/),
    })
  })

  it('after it was resolved is not listed', async () => {
    exchange = exchanging('folder', '../outside')
    moment = 'listDir'
    expect(await call('read', { path: 'folder' })).toEqual({
      isError: true,
      text: `cannot list ${toolbox.cwd}/folder: it now leads to a different file`,
    })
  })

  it.each(changes)('after it was read is not changed by %s of %s', async (name, path, args) => {
    await call('read', { path: 'folder/a.txt' })
    exchange = exchanging('folder', '../outside')
    moment = 'writeFile'
    expect(await call(name, { path, ...args })).toMatchObject({ isError: true })
    expect(await outside()).toBe('text of ../outside\n')
    expect(await disk.listDir(join(toolbox.cwd, '../outside'), toolContext())).toEqual(['a.txt'])
  })
})
