import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lastText, say, use } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'

/** A world with a library beside the project. */
async function openBoth() {
  const world = await openWorld()
  const library = join(dirname(world.cwd), 'library')
  await mkdir(library)
  await writeFile(join(library, 'a.txt'), 'one\n')
  const edits = () =>
    world.server.reply(
      use(['read', { path: join(library, 'a.txt') }]),
      use(['edit', { path: join(library, 'a.txt'), old_text: 'one', new_text: 'two' }]),
      say('Done.'),
    )
  return { ...world, library, edits }
}

describe('a folder that --add-dir names', () => {
  it('is read and edited like the working folder, and named to the model', async () => {
    const { pipe, server, library, edits } = await openBoth()
    edits()
    expectRun(await pipe(['--add-dir', '../library', '--permission-mode', 'accept-edits', 'go']), {
      stdout: 'Done.\n',
    })
    expect(await readFile(join(library, 'a.txt'), 'utf8')).toBe('two\n')
    const [first = ''] = server.requests.map(({ body }) => lastText(body))
    expect(first).toContain(`also to work in: ${library}\n`)
  })

  it('is out of reach without the flag', async () => {
    const { pipe, library, edits } = await openBoth()
    edits()
    expectRun(await pipe(['--permission-mode', 'accept-edits', 'go']), {
      stdout: 'Done.\n',
      stderr: expect.any(String),
    })
    expect(await readFile(join(library, 'a.txt'), 'utf8')).toBe('one\n')
  })

  it('must exist and be a folder', async () => {
    const { pipe, put } = await openBoth()
    await put('file.txt', '')
    for (const name of ['nowhere', '']) {
      expectRun(await pipe(['--add-dir', name, 'go']), {
        code: 2,
        stdout: '',
        stderr: complaint(`--add-dir ${name}: there is no such folder`),
      })
    }
    expectRun(await pipe(['--add-dir', 'file.txt', 'go']), {
      code: 2,
      stdout: '',
      stderr: complaint('it is a file'),
    })
  })
})
