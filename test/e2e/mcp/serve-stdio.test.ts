import { existsSync } from 'node:fs'
import { readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { connect, eras, textOf } from '../../support/mcp/pipe-client.ts'
import { say, use } from '../../support/models/replies.ts'
import { untilGone, untilNoneRuns, untilRuns } from '../../support/programs/processes.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'

const yes = { action: 'accept', content: { answer: 'Yes, once' } } as const
const no = { action: 'accept', content: { answer: 'No' } } as const

describe.each(eras)('a client of %s over stdio', (era) => {
  it('gets the tools that only look, with the schema that models get, and cannot leave the folder with them', async () => {
    const world = await openWorld()
    await world.put('a.txt', 'hello\n')
    await symlink('/etc', join(world.cwd, 'link'))
    const { client } = await connect(world, [], { era })
    const { tools } = await client.listTools()
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ['read', true],
      ['grep', true],
      ['glob', true],
      ['run', false],
    ])
    const call = (name: string, args: Record<string, unknown>) =>
      client.callTool({ name, arguments: args }).then(textOf)
    expect(await call('read', { path: 'a.txt' })).toBe('1\thello')
    expect(await call('read', { path: 'b.txt' })).toContain('error: ')
    expect(await call('bash', { command: 'ls' })).toBe('error: there is no tool "bash"')
    for (const path of ['/etc/passwd', '../home/config.json', 'link/passwd', '~/.ssh/id_rsa'])
      expect(await call('read', { path })).toContain('error: Permission denied: ')
    for (const cwd of ['..', '/etc', '/nowhere', 'link', '../project/..'])
      expect(await call('run', { prompt: 'x', cwd })).toBe(
        'error: cwd is outside of the folder that pipe serves',
      )
    expect(await call('run', { prompt: 'x', cwd: 'nowhere' })).toBe('error: cwd: there is no such folder')
    expect(await call('run', { prompt: ' ' })).toBe('error: run needs a prompt: the task, in words')
    expect(await call('run', { prompt: 'x', session: '0' })).toContain(
      'error: this client has no such session',
    )
    expect(await call('run', { prompt: 'x', model: 'replay//etc/passwd' })).toContain(
      'error: model names a file',
    )
    expect(await call('run', { prompt: 'x', yolo: true })).toContain('not "yolo"')
  })

  it('is refused a command that nobody can be asked about', async () => {
    const world = await openWorld()
    const { client } = await connect(world, ['--tools', 'bash'], { era })
    const call = { name: 'bash', arguments: { command: 'touch made' } }
    expect(textOf(await client.callTool(call))).toContain('error: Permission denied: ')
    expect(existsSync(join(world.cwd, 'made'))).toBe(false)
  })

  it('ends the turn at a call that needs a yes, with --on-ask stop', async () => {
    const world = await openWorld()
    world.server.reply(use(['bash', { command: 'touch made' }]))
    const { client } = await connect(world, ['--tools', 'bash,run', '--on-ask', 'stop'], { era })
    const call = (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args })
    expect(textOf(await call('bash', { command: 'touch made' }))).toContain('error: bash needs a permission')
    const run = await call('run', { prompt: 'make it' })
    expect(run).toMatchObject({
      isError: true,
      structuredContent: { answer: '', stop_reason: 'error', error: { code: 'permission' } },
    })
  })

  it('runs a command that its user allows, once, not one that they refuse, and asks for a task too', async () => {
    const world = await openWorld()
    world.server.reply(use(['bash', { command: 'touch made' }]), say('Made.'))
    const asked: unknown[] = []
    let answer: typeof yes | typeof no = yes
    const { client } = await connect(world, ['--tools', 'bash,run'], {
      era,
      answer: (message, schema) => {
        asked.push([message, schema])
        return answer
      },
    })
    const touch = (name: string) =>
      client.callTool({ name: 'bash', arguments: { command: `touch ${name}` } }).then(textOf)
    expect(await touch('one')).not.toContain('error')
    answer = no
    expect(await touch('two')).toContain('error: Permission denied: the user said no')
    expect(['one', 'two'].map((name) => existsSync(join(world.cwd, name)))).toEqual([true, false])
    expect(asked).toHaveLength(2)
    expect(asked[0]).toEqual([
      expect.stringContaining('command: touch one'),
      {
        type: 'object',
        properties: { answer: { type: 'string', title: 'Answer', enum: ['Yes, once', 'No'] } },
        required: ['answer'],
      },
    ])
    answer = yes
    const made = await client.callTool({ name: 'run', arguments: { prompt: 'make it' } })
    expect([textOf(made), existsSync(join(world.cwd, 'made'))]).toEqual(['Made.', true])
  })

  it('has a task carried out, with progress, and goes on with its session', async () => {
    const world = await openWorld()
    await world.put('a.txt', 'hello\n')
    world.server.reply(use(['read', { path: 'a.txt' }]), say('It says hello.'), say('As I said: hello.'))
    const { client } = await connect(world, [], { era })
    const news: unknown[] = []
    const options = { onprogress: ({ message }: { message?: string | undefined }) => void news.push(message) }
    const first = await client.callTool({ name: 'run', arguments: { prompt: 'what is in a.txt?' } }, options)
    expect(textOf(first)).toBe('It says hello.')
    const session = (first.structuredContent as { readonly session_id: string }).session_id
    expect(first.structuredContent).toEqual({
      answer: 'It says hello.',
      session_id: expect.stringMatching(/^[\da-f-]{36}$/),
      model: 'fake/model-1',
      stop_reason: 'end_turn',
      cost_usd: 0,
    })
    expect(news).toEqual(['round 1: asks fake/model-1', 'read a.txt', 'round 2: asks fake/model-1'])
    const second = await client.callTool({ name: 'run', arguments: { prompt: 'again?', session } })
    expect(second.structuredContent).toMatchObject({ answer: 'As I said: hello.', session_id: session })
    expect((await world.sessions()).map(({ messages }) => messages.length)).toEqual([6])
  })

  it('ends a command with all that it started when it cancels its call, and what runs when it goes away', async () => {
    const world = await openWorld()
    world.server.reply(use(['bash', { command: 'sleep 3332' }]))
    const flags = ['--tools', 'bash,run', '--allowed-tools', 'Bash']
    const { client, transport } = await connect(world, flags, { era })
    const stop = new AbortController()
    const sleeps = client.callTool(
      { name: 'bash', arguments: { command: 'sleep 3331 & sleep 3331' } },
      { signal: stop.signal },
    )
    await untilRuns('3331')
    stop.abort()
    await expect(sleeps).rejects.toThrow()
    await untilNoneRuns('3331')
    const after = await client.callTool({ name: 'bash', arguments: { command: 'echo still here' } })
    expect(textOf(after)).toContain('still here')
    const runs = client.callTool({ name: 'run', arguments: { prompt: 'sleep' } })
    await untilRuns('3332')
    const pid = transport.pid ?? 0
    await client.close()
    await expect(runs).rejects.toThrow()
    await untilNoneRuns('3332')
    await untilGone(pid)
  })

  it('makes other calls while its user thinks about one, and cancels that', async () => {
    const world = await openWorld()
    await world.put('a.txt', 'hello\n')
    let isAsked = () => {}
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve
    })
    const { client, transport } = await connect(world, ['--tools', 'all'], {
      era,
      answer: () => {
        isAsked()
        return new Promise(() => {})
      },
    })
    const stop = new AbortController()
    const touch = { name: 'bash', arguments: { command: 'touch made' } }
    client.callTool(touch, { signal: stop.signal }).catch(() => undefined)
    await asked
    const read = () => client.callTool({ name: 'read', arguments: { path: 'a.txt' } }).then(textOf)
    expect(await Promise.all([read(), read(), read()])).toEqual(Array(3).fill('1\thello'))
    stop.abort()
    expect(await read()).toBe('1\thello')
    const pid = transport.pid ?? 0
    await client.close()
    await untilGone(pid)
    expect(existsSync(join(world.cwd, 'made'))).toBe(false)
  })

  it('undoes an edit of a client as one of a model, and has it in the audit log', async () => {
    const world = await openWorld()
    await world.put('a.txt', 'hello\n')
    const { client } = await connect(world, ['--tools', 'read,edit', '--allowed-tools', 'Edit'], { era })
    const call = (name: string, args: Record<string, unknown>) =>
      client.callTool({ name, arguments: { path: 'a.txt', ...args } }).then(textOf)
    expect(await call('read', {})).toBe('1\thello')
    expect(await call('edit', { old_text: 'hello', new_text: 'bye' })).not.toContain('error')
    await client.close()
    expect(await readFile(join(world.cwd, 'a.txt'), 'utf8')).toBe('bye\n')
    expect((await world.pipe(['audit', 'list'])).code).toBe(0)
    expectRun(await world.pipe(['undo']), {
      code: 0,
      stdout: expect.stringContaining('The MCP client other-agent calls edit.'),
    })
    expect(await readFile(join(world.cwd, 'a.txt'), 'utf8')).toBe('hello\n')
  })
})

describe('pipe mcp serve over stdio', () => {
  it('ends with 0 at the end of stdin, and writes nothing but messages', async () => {
    const world = await openWorld()
    const line = (value: object) => `${JSON.stringify({ jsonrpc: '2.0', ...value })}\n`
    const hello = {
      protocolVersion: '2024-11-05',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    }
    await world.put(
      'in',
      `\ufeff${line({ id: 1, method: 'initialize', params: hello })}not json\n${line({ id: 2, method: 'ping' })}`,
    )
    // Stdin ends once all is answered.
    const run = await world.shell(
      `: > out; { cat in; until grep -q '"id":2' out; do sleep 0.05; done; } | pipe mcp serve --quiet > out`,
    )
    const out = await readFile(join(world.cwd, 'out'), 'utf8')
    const answers = out
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text))
    expect(answers.map(({ id, error }) => [id, error])).toEqual([
      [1, undefined],
      [2, undefined],
    ])
    expectRun(run, { code: 0, stdout: '' })
  })

  it('is a server that pipe itself can use', async () => {
    const world = await openWorld()
    expect((await world.pipe(['mcp', 'add', 'self', '--', 'pipe', 'mcp', 'serve'])).code).toBe(0)
    expectRun(await world.pipe(['mcp', 'test', 'self']), {
      code: 0,
      stdout: 'ok      self: 4 tools: read, grep, glob, run\n',
    })
  })

  it('takes a message of many megabytes', async () => {
    const world = await openWorld()
    const { client } = await connect(world, ['--tools', 'write', '--allowed-tools', 'Edit'])
    const content = 'x'.repeat(4_000_000)
    expect(
      textOf(await client.callTool({ name: 'write', arguments: { path: 'big', content } })),
    ).not.toContain('error')
    expect((await readFile(join(world.cwd, 'big'))).length).toBe(4_000_000)
  })

  it('ends its children and itself on SIGTERM', async () => {
    const world = await openWorld()
    const { client, transport } = await connect(world, ['--tools', 'bash', '--allowed-tools', 'Bash'])
    const sleeps = client.callTool({ name: 'bash', arguments: { command: 'sleep 3333' } })
    sleeps.catch(() => undefined)
    await untilRuns('3333')
    const pid = transport.pid ?? 0
    process.kill(pid, 'SIGTERM')
    await untilGone(pid)
    await untilNoneRuns('3333')
  })

  it('refuses wrong flags with what to do', async () => {
    const world = await openWorld()
    const refused = async (...args: readonly string[]) => world.pipe(['mcp', 'serve', ...args])
    expectRun(await refused('--tools', 'nothing'), {
      code: 2,
      stdout: '',
      stderr: complaint('--tools: there is no tool'),
    })
    expectRun(await refused('--http', 'x'), { code: 2, stdout: '', stderr: complaint('--http takes') })
    expectRun(await refused('more'), { code: 2, stdout: '', stderr: complaint('more') })
  })
})
