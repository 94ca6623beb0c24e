import { describe, expect, it } from 'vitest'
import { lastText, say, use } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'
import { outline } from '../../support/sessions/session-file.ts'

describe('a prompt', () => {
  it('is answered on stdout and nowhere else', async () => {
    const { pipe, server } = await openWorld()
    server.reply(say('Hello, world.'))
    expectRun(await pipe(['say hello']), { stdout: 'Hello, world.\n' })
  })

  it.each([
    ['several words', ['say', 'it', 'twice'], 'say it twice'],
    ['words after -p', ['-p', 'demo'], 'demo'],
    ['words after --', ['--', 'sessions', '--json'], 'sessions --json'],
    ['a command and more in one argument', ['sessions are what?'], 'sessions are what?'],
  ])('may be %s', async (_, args, prompt) => {
    const { pipe, server } = await openWorld()
    server.reply(say('Yes.'))
    expectRun(await pipe(args), { stdout: 'Yes.\n' })
    expect(server.requests.map(({ body }) => lastText(body).endsWith(`\n\n${prompt}`))).toEqual([true])
  })

  it('is sent with the date, the working directory and the instructions of the folder', async () => {
    const { pipe, put, server, cwd } = await openWorld()
    await put('AGENTS.md', 'Answer in verse.\n')
    server.reply(say('Roses are red.'))
    expectRun(await pipe(['go']), { stdout: 'Roses are red.\n' })
    const [sent = ''] = server.requests.map(({ body }) => lastText(body))
    expect(sent).toMatch(/^user: <environment>\ndate: \d{4}-\d\d-\d\d\n/)
    expect(sent).toContain(`\nworking directory: ${cwd}\n`)
    expect(sent).toContain(
      '\n<instructions from="AGENTS.md" supplied-by="project">\nAnswer in verse.\n</instructions>',
    )
  })

  it('prints only the text of the last round', async () => {
    const { pipe, put, server } = await openWorld()
    await put('a.txt', 'forty-two\n')
    server.reply(
      {
        blocks: [
          { type: 'text', text: 'I will look.' },
          { type: 'tool_call', name: 'read', arguments: { path: 'a.txt' } },
        ],
      },
      say('It says forty-two.'),
    )
    expectRun(await pipe(['what is in a.txt?']), { stdout: 'It says forty-two.\n' })
    expect(server.requests.map(({ body }) => lastText(body))[1]).toBe('tool: 1\tforty-two')
  })

  it('shows the tool calls on stderr with -v', async () => {
    const { pipe, put, server, sessions } = await openWorld()
    await put('a.txt', 'x\n')
    server.reply(use(['read', { path: 'a.txt' }]), say('x'))
    const run = await pipe(['-v', 'read it'])
    const [session] = await sessions()
    expectRun(run, {
      stdout: 'x\n',
      stderr: expect.stringMatching(
        new RegExp(`^• read a\\.txt\n {2}✓ \\d+ ms\npipe: resume with: pipe -r ${session?.id}\n$`),
      ),
    })
  })

  it('shows the tool calls on stderr with -o json too, and only the object on stdout', async () => {
    const { pipe, put, server } = await openWorld()
    await put('a.txt', 'x\n')
    server.reply(use(['read', { path: 'a.txt' }]), say('x'))
    const run = await pipe(['-v', '-o', 'json', 'read it'])
    expectRun(run, {
      stdout: expect.stringMatching(/^\{.*\}\n$/),
      stderr: expect.stringMatching(/^• read a\.txt\n {2}✓ \d+ ms\n$/),
    })
    expect(JSON.parse(run.stdout)).toMatchObject({ result: 'x', exit_code: 0 })
  })

  it.each([
    ['full', '2>/dev/full'],
    ['closed', '2>&-'],
    ['without a reader', '2> >(:)'],
  ])('prints the answer if stderr is %s', async (_, redirection) => {
    const { shell, put, server } = await openWorld()
    await put('a.txt', 'x\n')
    server.reply(use(['read', { path: 'a.txt' }]), say('x'))
    expectRun(await shell(`pipe -v "read it" ${redirection}`), { stdout: 'x\n' })
  })

  it('keeps control characters of the model if stdout is a pipe', async () => {
    const { pipe, server } = await openWorld()
    server.reply(say('\u001b[31mred\u001b[0m'))
    expectRun(await pipe(['colour']), { stdout: '\u001b[31mred\u001b[0m\n' })
  })

  it('runs in the folder that -C names', async () => {
    const { pipe, put, server } = await openWorld()
    await put('deep/a.txt', 'found\n')
    server.reply(use(['read', { path: 'a.txt' }]), say('done'))
    expectRun(await pipe(['-C', 'deep', 'read']), { stdout: 'done\n' })
    expect(server.requests.map(({ body }) => lastText(body))[1]).toBe('tool: 1\tfound')
  })

  it('is saved with its answer', async () => {
    const { pipe, server, sessions } = await openWorld()
    server.reply(say('Hello.'))
    await pipe(['hi'])
    expect((await sessions()).map(outline)).toEqual([['user: hi', 'assistant: Hello.']])
  })
})

describe('an overloaded server', () => {
  it('is asked again, and the answer is printed once', async () => {
    const { pipe, server } = await openWorld()
    const busy = { status: 529, headers: { 'retry-after-ms': '1' }, body: '{"error":{"message":"busy"}}' }
    server.reply(busy, busy, say('At last.'))
    expectRun(await pipe(['hi']), { stdout: 'At last.\n' })
    expect(server.requests).toHaveLength(3)
  })

  it('may drop the connection mid-answer: the partial answer is neither printed nor saved', async () => {
    const { pipe, server, sessions } = await openWorld()
    const half = 'data: {"choices":[{"index":0,"delta":{"content":"Half an "}}]}\n\n'
    server.reply({ sse: half, ending: 'reset' }, say('A whole answer.'))
    expectRun(await pipe(['hi']), { stdout: 'A whole answer.\n' })
    expect((await sessions()).map(outline)).toEqual([['user: hi', 'assistant: A whole answer.']])
  })
})

it('attaches a folder of -f as a listing, a file below the home folder, and says that patterns are not expanded', async () => {
  const { pipe, server, put } = await openWorld()
  await put('docs/a.md', 'one')
  await put('../f.txt', 'in the home folder')
  server.reply(say('Fine.'))
  const run = await pipe(['-f', 'docs', 'see @~/f.txt and @docs/*.md'])
  expectRun(run, {
    stdout: 'Fine.\n',
    stderr: complaint('@docs/*.md attaches nothing, because patterns are not expanded'),
  })
  const sent = JSON.stringify(server.requests[0]?.body)
  for (const text of ['<folder path=\\"docs\\">\\na.md', 'in the home folder']) expect(sent).toContain(text)
})
