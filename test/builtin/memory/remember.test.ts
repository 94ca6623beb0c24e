import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { memoriesIn } from '../../memories/files.ts'
import { drainRun, toolContext } from '../../support/conversations/tool-run.ts'
import { folderWith } from '../../support/folders/folder.ts'
import { createToolbox, path as PATH } from '../toolbox.ts'

async function open(interactive = true) {
  const folder = await folderWith()
  const memories = memoriesIn(folder)
  const toolbox = await createToolbox({ PATH }, { interactive, memories: async () => memories })
  onTestFinished(() => toolbox.close())
  const tool = toolbox.executor.tools().find(({ name }) => name === 'remember')
  return { toolbox, tool, file: () => readFile(join(folder, 'project/MEMORY.md'), 'utf8') }
}

it('remember keeps nothing unless a user approved the call, whoever runs it', async () => {
  const { toolbox, file } = await open()
  const args = { text: 'use pnpm' }
  expect(await toolbox.call('remember', args)).toMatchObject({
    isError: true,
    text: 'nothing was kept: no user was asked',
  })
  await expect(file()).rejects.toMatchObject({ code: 'ENOENT' })
  const approved = await drainRun(
    toolbox.executor.execute('remember', args, { ...toolContext(), approved: true }),
  )
  expect(approved.result).toMatchObject({ isError: false, content: [{ text: 'kept' }] })
  expect(await file()).toContain('- use pnpm <!-- 00000001, ')
})

it('remember shows the very text that it keeps, and where', async () => {
  const { tool } = await open()
  expect(await tool?.consent?.({ text: ' hunter2hunter2\u200b\nb ', user: true })).toEqual({
    title: 'Remember this in all projects?',
    description: expect.stringMatching(/kept in \/.*\/user\/MEMORY\.md$/),
    content: '[redacted]\nb',
    contentKind: 'plain_text',
  })
})

it('remember does not exist where nobody can be asked', async () => {
  expect((await open(false)).tool).toBe(undefined)
})
