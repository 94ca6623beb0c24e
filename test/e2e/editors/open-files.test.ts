import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { lastText, say, use } from '../../support/models/replies.ts'
import { openEditor } from '../../support/programs/editor.ts'
import { openWorld, type World } from '../../support/programs/world.ts'

const capabilities = { fs: { readTextFile: true, writeTextFile: true } }
const edit = use(['edit', { path: 'a.txt', old_text: 'unsaved', new_text: 'mended' }])

it('a file is read and edited as the editor has it', async () => {
  const world = await openWorld()
  await world.put('a.txt', 'saved\n')
  const path = join(world.cwd, 'a.txt')
  const buffers = new Map([[path, 'unsaved\n']])
  world.server.reply(use(['read', { path: 'a.txt' }]), edit, say('Done.'))
  const { begin, prompt } = await openEditor(world, { capabilities, buffers })
  await prompt((await begin()).sessionId, 'mend it')
  expect(asked(world)).toContain('unsaved')
  expect([buffers.get(path), await readFile(path, 'utf8')]).toEqual(['mended\n', 'mended\n'])
})

it('a file that is not open there is the one on the disk', async () => {
  const world = await openWorld()
  await world.put('a.txt', 'unsaved\n')
  world.server.reply(use(['read', { path: 'a.txt' }]), edit, say('Done.'))
  const buffers = new Map<string, string>()
  const { begin, prompt } = await openEditor(world, { capabilities, buffers })
  await prompt((await begin()).sessionId, 'mend it')
  expect(await readFile(join(world.cwd, 'a.txt'), 'utf8')).toBe('mended\n')
  expect(buffers.size).toBe(0)
})

it('an editor that does not offer its files is not asked for them', async () => {
  const world = await openWorld()
  await world.put('a.txt', 'saved\n')
  const buffers = new Map([[join(world.cwd, 'a.txt'), 'unsaved\n']])
  world.server.reply(use(['read', { path: 'a.txt' }]), say('Done.'))
  const { begin, prompt } = await openEditor(world, { buffers })
  await prompt((await begin()).sessionId, 'read it')
  expect(asked(world)).toContain('saved')
})

/** The last message of the second request: the result of the first call. */
function asked({ server }: World): string {
  const [, second] = server.requests
  return second === undefined ? '' : lastText(second.body)
}
