import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { outlineRequest, say, use } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld, type World } from '../../support/programs/world.ts'

const support = fileURLToPath(new URL('../../support/mcp/', import.meta.url))
const real = { command: process.execPath, args: [`${support}real-server.js`] }
const find = use(['find_tools', { query: 'add numbers' }])

/** The names of the tools in each request. */
function toolsIn({ server }: World): readonly (readonly string[])[] {
  return server.requests.map(({ body }) => (body.tools ?? []).map((tool) => tool.function.name))
}

/** The messages of one request. */
function textsIn({ server }: Pick<World, 'server'>, request: number): readonly string[] {
  const sent = server.requests[request]
  return sent === undefined ? [] : outlineRequest(sent.body)
}

describe('--mcp-config', () => {
  it('starts the servers of a file and of JSON, beside those of the settings and not asked about', async () => {
    const world = await openWorld()
    await world.put('servers.json', JSON.stringify({ mcpServers: { real } }))
    const more = JSON.stringify({ mcpServers: { other: real } })
    world.server.reply(find, use(['mcp__real__get_sum', { a: 2, b: 3 }]), say('Five.'))
    expectRun(await world.pipe(['--mcp-config', 'servers.json', more, '--allowed-tools=mcp__real', 'add']), {
      stdout: 'Five.\n',
    })
    expect(toolsIn(world)[1]).toEqual(expect.arrayContaining(['mcp__other__get_sum', 'mcp__real__get_sum']))
    expect(textsIn(world, 2).at(-1)).toContain('the sum is 5')
  })

  it.each([[['--strict-mcp-config']], [['--bare']]])('counts alone with %j', async (flags) => {
    const world = await openWorld()
    await world.configure({
      model: 'fake/model-1',
      providers: { fake: { base_url: world.server.baseUrl } },
      mcp_servers: { own: real },
    })
    world.server.reply(find, say('Found.'), say('None.'))
    const servers = JSON.stringify({ mcpServers: { given: real } })
    expectRun(await world.pipe([...flags, '--mcp-config', servers, 'add']), { stdout: 'Found.\n' })
    expect(toolsIn(world)[1]?.filter((name) => name.startsWith('mcp__'))).toEqual(['mcp__given__get_sum'])
    expectRun(await world.pipe([...flags, 'add']), { stdout: 'None.\n' })
    expect(toolsIn(world)[2]).not.toContain('find_tools')
  })

  it.each([
    ['nope.json', 42, /--mcp-config: cannot read nope.json: no such file or folder/],
    ['{"mcpServers": {"a": {"cmd": "x"}}}', 52, /--mcp-config: the MCP server "a": it has neither a command/],
    ['{"mcpServers"', 42, /--mcp-config:1:\d+: not valid JSON/],
  ])('names itself when %s is of no use', async (value, code, message) => {
    const { pipe } = await openWorld()
    expectRun(await pipe(['--mcp-config', value, 'go']), { code, stdout: '', stderr: complaint(message) })
  })
})

describe('--settings', () => {
  const read = use(['bash', { command: 'touch made' }])

  it.each([
    ['ours', { permissions: { allow: ['Bash(touch:*)'] } }],
    ['those of Claude Code', { permissions: { defaultMode: 'default', allow: ['Bash(touch:*)'] } }],
  ])('count for the run: %s', async (_form, settings) => {
    const { pipe, server, put } = await openWorld()
    await put('s.json', JSON.stringify(settings))
    server.reply(read, say('Made.'))
    expectRun(await pipe(['--settings', 's.json', 'make it']), { stdout: 'Made.\n' })
    expect(textsIn({ server }, 1).at(-1)).not.toContain('denied')
  })

  it('deny whatever a later flag allows, and name what has no effect', async () => {
    const { pipe, server } = await openWorld()
    server.reply(read, say('I may not.'))
    const settings = JSON.stringify({
      permissions: { deny: ['Bash(touch:*)'], defaultMode: 'acceptEdits' },
      env: { A: '1' },
      cleanupPeriodDays: 3,
    })
    expectRun(await pipe(['--settings', settings, '--yolo', 'make it']), {
      stdout: 'I may not.\n',
      stderr: expect.stringContaining('pipe: --settings: no effect here: env, cleanupPeriodDays'),
    })
    expect(textsIn({ server }, 1).at(-1)).toContain('Permission denied')
  })

  it('run hooks beside those of the user', async () => {
    const world = await openWorld()
    const hook = (command: string) => ({ UserPromptSubmit: [{ hooks: [{ type: 'command', command }] }] })
    await world.configure({
      model: 'fake/model-1',
      providers: { fake: { base_url: world.server.baseUrl } },
      hooks: hook('echo from the user'),
    })
    world.server.reply(say('One.'), say('Two.'), say('Three.'))
    const typed = JSON.stringify({ hooks: hook('echo from the flag') })
    const seen = (i: number) => JSON.stringify(world.server.requests[i]?.body.messages).match(/from the \w+/g)
    expectRun(await world.pipe(['--settings', typed, 'go']), { stdout: 'One.\n' })
    expect(seen(0)).toEqual(['from the user', 'from the flag'])
    expectRun(await world.pipe(['--bare', '--settings', typed, 'go']), { stdout: 'Two.\n' })
    expect(seen(1)).toEqual(['from the flag'])
    expectRun(await world.pipe(['--settings', '{"disableAllHooks": true}', 'go']), { stdout: 'Three.\n' })
    expect(seen(2)).toEqual(null)
  })

  it.each([
    [{ modle: 'x' }, /--settings s.json:1:2: there is no setting called "modle"/],
    [{ permissions: { mode: 'loose' } }, /--settings s.json:1:24: permissions.mode: /],
  ])('are refused where they are broken: %j', async (settings, message) => {
    const { pipe, put } = await openWorld()
    await put('s.json', JSON.stringify(settings))
    expectRun(await pipe(['--settings', 's.json', 'go']), {
      code: 52,
      stdout: '',
      stderr: complaint(message),
    })
  })
})

describe('--agents', () => {
  const reviewer = { description: 'reviews', prompt: 'You review kindly.', tools: ['Read'] }

  it('defines an agent to work as, which hides one of a file', async () => {
    const { pipe, server, put, home } = await openWorld()
    await mkdir(join(home, 'agents'))
    await writeFile(
      join(home, 'agents/reviewer.md'),
      '---\nname: reviewer\ndescription: d\n---\nYou are rude.',
    )
    await put('agents.json', '{}')
    server.reply(say('Fine.'))
    expectRun(await pipe(['--agents', JSON.stringify({ reviewer }), '--agent', 'reviewer', 'go']), {
      stdout: 'Fine.\n',
    })
    expect(server.requests[0]?.body.tools?.map((tool) => tool.function.name)).toEqual(['read'])
    const said = JSON.stringify(server.requests[0]?.body.messages)
    expect([said.includes('You review kindly.'), said.includes('rude')]).toEqual([true, false])
  })

  it('refuses an agent that could do more than was meant', async () => {
    const { pipe } = await openWorld()
    const agents = JSON.stringify({ reviewer: { ...reviewer, tools: undefined, tool: ['Read'] } })
    expectRun(await pipe(['--agents', agents, 'go']), {
      code: 52,
      stdout: '',
      stderr: complaint('--agents: the agent "reviewer": there is no field tool; did you mean tools?'),
    })
  })
})

describe('--bare', () => {
  it('uses nothing that folders hold', async () => {
    const world = await openWorld()
    await world.put('AGENTS.md', 'Say please.')
    await mkdir(join(world.home, 'skills/tidy'), { recursive: true })
    await writeFile(
      join(world.home, 'skills/tidy/SKILL.md'),
      '---\nname: tidy\ndescription: tidies up\n---\nTidy.',
    )
    await mkdir(join(world.home, 'commands'))
    await writeFile(join(world.home, 'commands/hello.md'), 'Say hello.')
    world.server.reply(say('One.'), say('Two.'))
    expectRun(await world.pipe(['/hello']), { stdout: 'One.\n' })
    expectRun(await world.pipe(['--bare', '/hello']), { stdout: 'Two.\n' })
    const found = world.server.requests.map(({ body }) =>
      JSON.stringify(body.messages).match(/Say please|tidies up|Say hello/g),
    )
    expect(found).toEqual([['Say please', 'tidies up', 'Say hello'], null])
  })
})

describe('a file with a system prompt', () => {
  it('replaces it, and may follow it', async () => {
    const { pipe, server, put } = await openWorld()
    await put('system.md', 'You are a poet.\n')
    await put('more.md', 'Rhyme.\n')
    server.reply(say('One.'), say('Two.'))
    const files = ['--system-prompt-file', 'system.md', '--append-system-prompt-file', 'more.md']
    expectRun(await pipe([...files, 'go']), { stdout: 'One.\n' })
    expect(textsIn({ server }, 0)[0]).toBe('system: You are a poet.\n\nRhyme.')
    expectRun(
      await pipe(['--system-prompt', 'Be.', '--append-system-prompt', 'Brief.', ...files.slice(2), 'go']),
      { stdout: 'Two.\n' },
    )
    expect(textsIn({ server }, 1)[0]).toBe('system: Be.\n\nBrief.\n\nRhyme.')
  })

  it('comes from a pipe of the shell too', async () => {
    const { shell, server } = await openWorld()
    server.reply(say('One.'))
    expectRun(await shell('pipe --system-prompt-file <(echo You are a poet.) go < /dev/null'), {
      stdout: 'One.\n',
    })
    expect(textsIn({ server }, 0)[0]).toBe('system: You are a poet.')
  })

  it.each([
    [
      ['--system-prompt-file', 'nope.md'],
      42,
      '--system-prompt-file: cannot read nope.md: no such file or folder',
    ],
    [
      ['--system-prompt-file', 'a', '--system-prompt', 'b'],
      2,
      '--system-prompt-file cannot be combined with --system-prompt (see pipe --help)',
    ],
  ])('is refused: %j', async (flags, code, message) => {
    const { pipe } = await openWorld()
    expectRun(await pipe([...flags, 'go']), { code, stdout: '', stderr: complaint(message) })
  })
})

describe('--permission-mode dontAsk', () => {
  it.each([
    [['--permission-mode', 'dontAsk']],
    [['--settings', '{"permissions": {"defaultMode": "dontAsk"}}']],
  ])('refuses what would be asked, and runs what a rule allows: %j', async (flags) => {
    const { pipe, server } = await openWorld()
    server.reply(use(['bash', { command: 'touch a' }], ['bash', { command: 'mkdir b' }]), say('Half.'))
    expectRun(await pipe([...flags, '--on-ask=stop', '--allowed-tools=Bash(mkdir:*)', 'make']), {
      stdout: 'Half.\n',
      stderr: complaint(/1 call was denied: bash/),
    })
  })
})

describe('--name', () => {
  it('is the title of the session, by which -r finds the newest', async () => {
    const { pipe, server, sessions } = await openWorld()
    server.reply(say('One.'), say('Two.'), say('Three.'))
    expectRun(await pipe(['--name', 'nightly', 'go']), { stdout: 'One.\n' })
    expectRun(await pipe(['-n', 'nightly', 'go']), { stdout: 'Two.\n' })
    expectRun(await pipe(['-r', 'nightly', 'go on']), { stdout: 'Three.\n' })
    expect((await sessions()).map(({ title, messages }) => [title, messages.length])).toEqual([
      ['nightly', 2],
      ['nightly', 4],
    ])
    expectRun(await pipe(['-r', 'daily', 'go on']), {
      code: 42,
      stdout: '',
      stderr: complaint(/no session is called daily; /),
    })
  })

  it('renames a session that goes on', async () => {
    const { pipe, server, sessions } = await openWorld()
    server.reply(say('One.'), say('Two.'))
    expectRun(await pipe(['go']), { stdout: 'One.\n' })
    expectRun(await pipe(['-c', '--name', 'the work', 'go on']), { stdout: 'Two.\n' })
    expect((await sessions()).map(({ title }) => title)).toEqual(['the work'])
  })
})

it('thinks as much as fits in --max-thinking-tokens', async () => {
  const { pipe, server } = await openWorld()
  server.reply(say('One.'), say('Two.'))
  expectRun(await pipe(['--max-thinking-tokens', '10000', 'go']), { stdout: 'One.\n' })
  expectRun(await pipe(['--max-thinking-tokens', '0', 'go']), { stdout: 'Two.\n' })
  expect(server.requests.map(({ body }) => body.reasoning_effort)).toEqual(['medium', undefined])
})
