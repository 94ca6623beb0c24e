import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lastText, say, use } from '../../support/models/replies.ts'
import { expectRun } from '../../support/programs/program.ts'
import { openWorld, type World } from '../../support/programs/world.ts'

/** Three invisible characters. */
const tags = '\u{e0049}\u{e0067}\u{e006e}'
const anyTag = /[\u{e0000}-\u{e007f}]|\\udb40/u
const note = '(3 invisible characters removed)'

/** Returns all request bodies and the session files. */
async function told({ server, home, sessions }: World): Promise<string> {
  const files = await Promise.all((await sessions()).map(({ id }) => read(join(home, `sessions/${id}.json`))))
  return [...server.requests.map(({ body }) => JSON.stringify(body)), ...files].join('\n')
}

const read = (path: string) => readFile(path, 'utf8')

describe('TERM-236: invisible characters', () => {
  it('are removed from tool results and counted', async () => {
    const world = await openWorld()
    const { pipe, put, server } = world
    await put('a.txt', `one\ntwo${tags}\n`)
    await put(`odd${tags}.md`, '')
    server.reply(
      use(
        ['read', { path: 'a.txt' }],
        ['grep', { pattern: 'two' }],
        ['glob', { pattern: '*.md' }],
        ['bash', { command: 'cat a.txt' }],
        ['read', { path: 'none.txt' }],
      ),
      say('Done.'),
    )
    expectRun(await pipe(['-v', '--yolo', 'look']), {
      stdout: 'Done.\n',
      stderr: expect.stringMatching(/(\n {2}✓ \d+ ms \(3 invisible characters removed\)[^✓]*){4}$/),
    })
    const results = server.requests[1]?.body.messages.filter(({ role }) => role === 'tool') ?? []
    expect(results.map(({ content }) => JSON.stringify(content).includes(note))).toEqual([
      ...[true, true, true, true],
      false,
    ])
    expect(results[2]?.content).toBe(`odd.md\n${note}`)
    expect(await told(world)).not.toMatch(anyTag)
  })

  it('stay in a file that is edited elsewhere, and are not skipped when an edit searches for text', async () => {
    const { pipe, put, server, cwd } = await openWorld()
    await put('a.txt', `one\ntwo${tags} three\nfour\n`)
    server.reply(
      use(['read', { path: 'a.txt' }]),
      use(['edit', { path: 'a.txt', old_text: 'one', new_text: 'ONE' }]),
      use(['edit', { path: 'a.txt', old_text: 'two three', new_text: 'x' }]),
      use(['edit', { path: 'a.txt', old_text: 'four', new_text: `4${tags}` }]),
      say('Done.'),
    )
    expectRun(await pipe(['--yolo', 'change it']), { stdout: 'Done.\n' })
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe(`ONE\ntwo${tags} three\n4${tags}\n`)
    expect(server.requests.slice(3, 4).map(({ body }) => lastText(body))).toEqual([
      expect.stringContaining('a.txt was not changed: old_text is not in it'),
    ])
  })

  it.each([
    ['stdin', [], 'data', 'what is this?'],
    ['a prompt', [], undefined, `what${tags} is this?`],
    ['a file given with -f', ['-f', 'a.txt'], undefined, 'what is this?'],
    ['a mentioned file', [], undefined, 'what is @a.txt?'],
  ])('are removed from %s, and the user is notified', async (_, flags, stdin, prompt) => {
    const world = await openWorld()
    await world.put('a.txt', `text${tags}`)
    world.server.reply(say('Done.'))
    const input = stdin === undefined ? {} : { input: `data${tags}\n` }
    expectRun(await world.pipe([...flags, prompt], input), {
      stdout: 'Done.\n',
      stderr: 'pipe: 3 invisible characters removed from what is sent\n',
    })
    expect(world.server.requests.map(({ body }) => lastText(body).includes(note))).toEqual([true])
    expect(await told(world)).not.toMatch(anyTag)
  })

  it('are removed from project instructions, user instructions and the system prompt', async () => {
    const world = await openWorld()
    await world.put('AGENTS.md', `Be kind.${tags}`)
    await writeFile(join(world.home, 'AGENTS.md'), `Be brief.${tags}`)
    world.server.reply(say('Done.'))
    expectRun(await world.pipe(['--append-system-prompt', `Be good.${tags}`, 'go']), {
      stdout: 'Done.\n',
      stderr: 'pipe: 6 invisible characters removed from what is sent\n',
    })
    const sent = await told(world)
    expect([/Be kind\./, /Be brief\./, /Be good\./, anyTag].map((one) => one.test(sent))).toEqual([
      ...[true, true, true],
      false,
    ])
  })

  it('alone count as an empty prompt', async () => {
    const { pipe, server } = await openWorld()
    expectRun(await pipe([tags]), {
      code: 42,
      stdout: '',
      stderr: expect.stringContaining('the prompt is empty'),
    })
    expect(server.requests).toEqual([])
  })
})
