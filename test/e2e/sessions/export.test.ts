import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { say } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'
import { play } from '../../support/terminals/screen.ts'

const token = 'hunter2-hunter2'

/** A world with the session `work`, in which the user tells the value of a variable that holds a secret. */
async function begun() {
  const world = await openWorld()
  const env = { MY_API_TOKEN: token }
  world.server.reply(say('Kept.'), say('Bye.'))
  await world.pipe(['-s', 'work', `Keep ${token}`], { env })
  await world.pipe(['-s', 'work', 'Leave'], { env })
  const run = (...args: readonly string[]) => world.pipe(['sessions', 'export', ...args], { env })
  return { ...world, run, read: (name: string) => readFile(join(world.cwd, name), 'utf8') }
}

describe('sessions export', () => {
  it('writes Markdown to stdout, or the format of -o, without secrets', async () => {
    const { run, pipe } = await begun()
    const text = '> Keep [redacted]\n\nKept.\n\n> Leave\n\nBye.\n\n'
    expectRun(await run('work', '-o', 'txt'), { stdout: text })
    expectRun(await run('work'), {
      stdout: expect.stringMatching(/^# Keep \\\[redacted\\\]\n[\s\S]*## You\n\n> Leave\n\nBye\.\n\n$/),
    })
    expectRun(await run('work', '-o', 'html'), {
      stdout: expect.stringMatching(/^<!doctype html>[\s\S]*Keep \[redacted\][\s\S]*<\/html>\n$/),
    })
    const shown = (await pipe(['sessions', 'show', 'work', '--json'])).stdout
    expect(shown).toContain(`Keep ${token}`)
    expect(JSON.parse((await run('work', '--json')).stdout)).toEqual(
      JSON.parse(shown.replaceAll(`Keep ${token}`, 'Keep [redacted]')),
    )
  })

  it('writes a new file in the format of its ending, and never over another', async () => {
    const { run, put, read } = await begun()
    expectRun(await run('work', 'page.htm'), { stdout: '' })
    expect(await read('page.htm')).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/)
    expectRun(await run('work', 'notes.html', '-o', 'txt'), { stdout: '' })
    expect(await read('notes.html')).toMatch(/^> Keep/)
    expectRun(await run('work', 'notes.pdf'), {
      code: 2,
      stdout: '',
      stderr: complaint('no export is a .pdf file; the endings are md, markdown, html, htm, txt, json'),
    })
    await put('mine.md', 'mine')
    const exists = complaint('mine.md already exists: name another file, or delete it first')
    expectRun(await run('work', 'mine.md'), { code: 42, stdout: '', stderr: exists })
    expect(await read('mine.md')).toBe('mine')
    expectRun(await run('work', 'no/such/folder.md'), {
      code: 42,
      stdout: '',
      stderr: complaint('no/such/folder.md'),
    })
  })

  it('ends at a message, and rejects what it cannot find', async () => {
    const { run, sessions } = await begun()
    const [, reply] = (await sessions())[0]?.messages ?? []
    expectRun(await run(`work@${reply?.id.slice(0, 8)}`, '-o', 'txt'), {
      stdout: '> Keep [redacted]\n\nKept.\n\n',
    })
    expectRun(await run('work@zzzz'), {
      code: 42,
      stdout: '',
      stderr: complaint('no message of the session begins with zzzz'),
    })
    expectRun(await run('wrok'), { code: 42, stdout: '', stderr: complaint('wrok') })
  })

  it('writes a session without messages', async () => {
    const { run, home } = await begun()
    const empty = { version: 1, id: 'empty', created_at: 'x'.repeat(3), messages: [] }
    await writeFile(join(home, 'sessions', 'empty.json'), JSON.stringify(empty))
    expectRun(await run('empty', '-o', 'txt'), { stdout: '' })
    expectRun(await run('empty'), { stdout: expect.stringMatching(/^# Session empty\n\n- Date: /) })
  })
})

it('/export writes the conversation to a page in the folder, or to a file', async () => {
  const world = await openWorld()
  const screen = await play(world, { columns: 100, rows: 24 }, [
    { blocks: [{ type: 'text', text: 'Hello Ann.' }] },
  ])
  screen.type('I am Ann\r')
  await screen.until(/Hello Ann\./)
  screen.type('/export\r')
  await screen.until(/exported to [\s\S]*\.html/)
  screen.type('/export notes.txt\r')
  await screen.until(/exported to [\s\S]*notes\.txt/)
  screen.type('/export notes.txt\r')
  await screen.until(/notes\.txt already exists/)
  const [page = ''] = (await readdir(world.cwd)).filter((name) => /^pipe-\d{8}T\d{6}\.html$/.test(name))
  expect(await readFile(join(world.cwd, page), 'utf8')).toContain('<p>Hello Ann.</p>')
  expect(await readFile(join(world.cwd, 'notes.txt'), 'utf8')).toBe('> I am Ann\n\nHello Ann.\n\n')
})
