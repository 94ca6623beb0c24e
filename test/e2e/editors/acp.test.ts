import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { lastText, say, unfinished, use } from '../../support/models/replies.ts'
import { openEditor } from '../../support/programs/editor.ts'
import { untilGone, untilNoneRuns, untilRuns } from '../../support/programs/processes.ts'
import { expectRun } from '../../support/programs/program.ts'
import { openWorld, root, type World } from '../../support/programs/world.ts'
import { outline } from '../../support/sessions/session-file.ts'

const patience = { timeout: 60_000, interval: 20 }
const edit = use(['edit', { path: 'a.txt', edits: [{ old_text: 'hello', new_text: 'bye' }] }])
const rejected = { outcome: { outcome: 'selected', optionId: 'deny' } } as const

describe('an editor', () => {
  it('learns what pipe can do, and needs no sign-in where a model can be used', async () => {
    const { initialized } = await openEditor(await openWorld())
    expect(initialized).toMatchObject({
      protocolVersion: 1,
      agentInfo: { name: 'pipe' },
      agentCapabilities: { loadSession: true, promptCapabilities: { image: true, embeddedContext: true } },
      authMethods: [],
    })
  })

  it('is told how to store a key where there is none', async () => {
    const world = await openWorld()
    await world.configure({ model: 'anthropic/claude-sonnet-4-6' })
    const { initialized, agent } = await openEditor(world, { capabilities: { auth: { terminal: true } } })
    expect(initialized.authMethods).toMatchObject([{ type: 'terminal', args: ['sign-in'] }])
    await expect(agent.request('authenticate', { methodId: 'key' })).rejects.toMatchObject({
      code: -32000,
      message: expect.stringContaining('ANTHROPIC_API_KEY'),
    })
  })

  it('stores a key from its terminal, and none that tells no provider', async () => {
    const world = await openWorld()
    await world.configure({ providers: { anthropic: { base_url: 'http://127.0.0.1:1' } } })
    const stored = await world.pipe(['acp', 'sign-in'], { input: 'sk-ant-1234\n' })
    expect([stored.code, stored.stdout]).toEqual([
      0,
      expect.stringContaining('the key for anthropic is stored'),
    ])
    expectRun(await world.pipe(['acp', 'sign-in'], { input: 'abc\n' }), {
      code: 42,
      stdout: '',
      stderr: expect.stringContaining('pipe auth set PROVIDER'),
    })
  })

  it('signs out: the stored key is deleted, and one of the environment is named', async () => {
    const world = await openWorld()
    await world.configure({
      model: 'anthropic/claude-sonnet-4-6',
      providers: { anthropic: { base_url: 'http://127.0.0.1:1' } },
    })
    await world.pipe(['acp', 'sign-in'], { input: 'sk-ant-1234\n' })
    const { agent, initialized } = await openEditor(world)
    expect(initialized.agentCapabilities?.auth).toEqual({ logout: {} })
    await agent.request('logout', {})
    expect((await world.pipe(['auth', 'list'])).stdout).not.toContain('auth.json')
    await expect(agent.request('logout', {})).rejects.toMatchObject({ code: -32000 })
    const other = await openEditor(world, { env: { ANTHROPIC_API_KEY: 'sk-ant-5678' } })
    await expect(other.agent.request('logout', {})).rejects.toMatchObject({
      message: expect.stringContaining('ANTHROPIC_API_KEY'),
    })
  })

  it('learns the slash commands of a session that it knows, and what was skipped', async () => {
    const world = await openWorld()
    await mkdir(join(world.home, 'commands'))
    await writeFile(join(world.home, 'commands', 'fix.md'), 'Mend it.')
    await world.put('.mcp.json', JSON.stringify({ theirs: { command: 'true' } }))
    const told = await openEditor(world)
    await told.begin()
    await vi.waitUntil(() => told.updates.length > 0, patience)
    expect(told.early).toBe(0)
    expect(told.updates).toEqual([
      {
        sessionUpdate: 'available_commands_update',
        availableCommands: [
          expect.objectContaining({ name: 'compact' }),
          expect.objectContaining({ name: 'fix' }),
          expect.objectContaining({ name: 'init' }),
        ],
      },
    ])
    await vi.waitUntil(() => told.stderr().includes('theirs'), patience)
    const shown = await openEditor(world, { capabilities: { session: { notices: {} } } })
    await shown.begin()
    const notice = { sessionUpdate: 'notice', severity: 'warning', title: expect.stringContaining('theirs') }
    await vi.waitUntil(() => shown.updates.length > 1, patience)
    expect(shown.updates).toContainEqual(notice)
  })

  it('summarises the session for /compact, and sends no message for it', async () => {
    const world = await openWorld()
    world.server.reply(say('One.'), say('Two.'), say('They counted.'))
    const { agent, begin, prompt, said } = await openEditor(world)
    const { sessionId } = await begin()
    await prompt(sessionId, 'One?')
    await prompt(sessionId, 'Two?')
    const link = { type: 'resource_link', name: 'a', uri: `file://${world.cwd}/a.txt` } as const
    const withFile = [{ type: 'text', text: '/compact' } as const, link]
    await expect(agent.request('session/prompt', { sessionId, prompt: withFile })).rejects.toThrow(
      /takes no attached files/,
    )
    expect(await prompt(sessionId, '/compact keep the numbers')).toEqual({ stopReason: 'end_turn' })
    expect(said()).toMatch(/^One\.Two\.\s+\*\(summarised the conversation, \d+ to \d+ tokens\)\*\s+$/)
    const [session] = await world.sessions()
    expect(session && outline(session)).toEqual([
      expect.stringContaining('One?'),
      'assistant: One.',
      expect.stringContaining('Two?'),
      'assistant: Two.',
      expect.stringContaining('They counted.'),
    ])
  })

  it('shows an edit as a diff, asks about it, and sees it done', async () => {
    const world = await openWorld()
    await world.put('a.txt', 'hello\n')
    world.server.reply(use(['read', { path: 'a.txt' }]), edit, say('It says bye.'))
    const { begin, prompt, updates, asked, said } = await openEditor(world)
    const { sessionId } = await begin()
    expect(await prompt(sessionId, 'change it')).toEqual({ stopReason: 'end_turn' })
    expect(said()).toBe('It says bye.')
    const diff = { type: 'diff', path: join(world.cwd, 'a.txt'), oldText: 'hello', newText: 'bye' }
    expect(asked).toMatchObject([
      {
        toolCall: { kind: 'edit', content: [diff] },
        options: [{ optionId: 'allow', kind: 'allow_once' }, {}, {}, { kind: 'reject_once' }],
      },
    ])
    expect(updates.filter(({ sessionUpdate }) => sessionUpdate.startsWith('tool_call'))).toMatchObject([
      {
        kind: 'read',
        title: 'Read a.txt',
        status: 'in_progress',
        locations: [{ path: join(world.cwd, 'a.txt') }],
      },
      { status: 'completed' },
      { kind: 'edit', status: 'in_progress' },
      { status: 'completed', content: [diff], locations: [{ line: 1 }] },
    ])
    expect(await readFile(join(world.cwd, 'a.txt'), 'utf8')).toBe('bye\n')
  })

  it('shows the command that a question is about, and the arguments of a call of a server', async () => {
    const world = await openWorld()
    const command = 'touch made\necho "<!-- x -->"'
    const call = ['mcp__odd__work', { word: 'hi' }] as const
    world.server.reply(
      use(['bash', { command }]),
      use(['find_tools', { query: 'work' }]),
      use(call),
      say('Done.'),
    )
    const { begin, prompt, updates, asked } = await openEditor(world)
    const { sessionId } = await begin({
      name: 'odd',
      command: process.execPath,
      args: [join(root, 'test/support/mcp/odd-server.js'), 'none'],
      env: [],
    })
    await prompt(sessionId, 'make it')
    const title = 'touch made echo "<!-- x -->"'
    const text = (words: string) => ({ type: 'content', content: { type: 'text', text: words } })
    expect(asked).toMatchObject([
      {
        toolCall: {
          kind: 'execute',
          title,
          content: [text('Run this command?'), text(['```', command, '```'].join('\n'))],
        },
      },
      {
        toolCall: {
          title: 'Use work of odd?',
          content: [text('```\n{\n  "word": "hi"\n}\n```')],
        },
      },
    ])
    expect(updates).toContainEqual(expect.objectContaining({ title, status: 'in_progress' }))
  })

  it('refuses an edit, which then is not made', async () => {
    const world = await openWorld()
    await world.put('a.txt', 'hello\n')
    world.server.reply(use(['read', { path: 'a.txt' }]), edit, say('As you like.'))
    const { begin, prompt, updates } = await openEditor(world, { permit: () => rejected })
    const { sessionId } = await begin()
    await prompt(sessionId, 'change it')
    expect(updates).toContainEqual(expect.objectContaining({ status: 'failed' }))
    expect(await readFile(join(world.cwd, 'a.txt'), 'utf8')).toBe('hello\n')
  })

  it.each(['{}', 'null', '{"outcome":{"outcome":"selected","optionId":"perhaps"}}'])(
    'leaves a call alone if it answers %s, and the turn goes on',
    async (answer) => {
      const world = await openWorld()
      world.server.reply(use(['bash', { command: 'touch made' }]), say('As you like.'))
      const { begin, prompt, asked, said } = await openEditor(world, { permit: () => JSON.parse(answer) })
      const { sessionId } = await begin()
      expect(await prompt(sessionId, 'make it')).toEqual({ stopReason: 'end_turn' })
      expect([asked.length, said(), existsSync(join(world.cwd, 'made'))]).toEqual([1, 'As you like.', false])
    },
  )

  it('shows the plan of a turn', async () => {
    const world = await openWorld()
    const items = [
      { text: 'read', status: 'done' },
      { text: 'write', status: 'in_progress' },
    ]
    world.server.reply(use(['todo', { items }]), say('Done.'))
    const { begin, prompt, updates } = await openEditor(world)
    await prompt((await begin()).sessionId, 'plan')
    expect(updates).toContainEqual({
      sessionUpdate: 'plan',
      entries: [
        { content: 'read', priority: 'medium', status: 'completed' },
        { content: 'write', priority: 'medium', status: 'in_progress' },
      ],
    })
  })

  it('sends embedded text, images and links to files', async () => {
    const world = await openWorld()
    await world.put('a b.txt', 'in the file\n')
    world.server.reply(say('Seen.'))
    const { begin, agent } = await openEditor(world)
    const { sessionId } = await begin()
    await agent.request('session/prompt', {
      sessionId,
      prompt: [
        { type: 'text', text: 'look at ' },
        { type: 'resource_link', name: 'a', uri: `file://${world.cwd}/a%20b.txt` },
        { type: 'resource', resource: { uri: 'file:///x/new.txt', text: 'unsaved text' } },
      ],
    })
    const sent = JSON.stringify(world.server.requests.at(-1)?.body)
    expect(sent).toContain('in the file')
    expect(sent).toContain('unsaved text')
  })
})

describe('a session of an editor', () => {
  it('is listed, resumed, loaded with its messages, and deleted', async () => {
    const world = await openWorld()
    await world.put('a.txt', 'hello\n')
    world.server.reply(use(['read', { path: 'a.txt' }]), say('It says hello.'), say('As I said.'))
    const { begin, prompt, agent, updates, said } = await openEditor(world)
    const { sessionId } = await begin()
    await prompt(sessionId, 'what does it say?')
    await agent.request('session/close', { sessionId })
    await expect(prompt(sessionId, 'again')).rejects.toMatchObject({ code: -32002 })
    const opening = { sessionId, cwd: world.cwd, mcpServers: [] }
    await agent.request('session/resume', opening)
    updates.length = 0
    expect(await prompt(sessionId, 'again')).toEqual({ stopReason: 'end_turn' })
    updates.length = 0
    await agent.request('session/load', opening)
    expect([said('user_message_chunk'), said()]).toEqual([
      'what does it say?again',
      'It says hello.As I said.',
    ])
    expect(updates).toContainEqual(
      expect.objectContaining({ sessionUpdate: 'tool_call', status: 'completed' }),
    )
    const listed = await agent.request('session/list', { cwd: world.cwd })
    expect(listed.sessions).toMatchObject([{ sessionId, cwd: world.cwd, title: 'what does it say?' }])
    await agent.request('session/delete', { sessionId })
    expect(await agent.request('session/list', {})).toEqual({ sessions: [] })
  })

  it('takes modes, models and thinking', async () => {
    const world = await openWorld()
    world.server.reply(use(['bash', { command: 'touch made' }]), say('Done.'))
    const { begin, prompt, agent, asked } = await openEditor(world)
    const { sessionId, modes, configOptions } = await begin()
    expect(modes).toMatchObject({ currentModeId: 'default' })
    expect(configOptions).toMatchObject([
      { id: 'mode', category: 'mode', currentValue: 'default' },
      { id: 'model', category: 'model', currentValue: 'fake/model-1' },
    ])
    await agent.request('session/set_mode', { sessionId, modeId: 'bypass' })
    await prompt(sessionId, 'make it')
    expect([asked, existsSync(join(world.cwd, 'made'))]).toEqual([[], true])
    const set = await agent.request('session/set_config_option', {
      sessionId,
      configId: 'model',
      value: 'fake/model-2',
    })
    expect(set.configOptions).toMatchObject([{ currentValue: 'bypass' }, { currentValue: 'fake/model-2' }])
    await expect(agent.request('session/set_mode', { sessionId, modeId: 'wild' })).rejects.toMatchObject({
      code: -32602,
    })
  })

  it('runs beside another', async () => {
    const world = await openWorld()
    world.server.reply(say('one'), say('two'))
    const { begin, prompt, agent } = await openEditor(world)
    const [a, b] = [await begin(), await begin()]
    expect(await Promise.all([prompt(a.sessionId, 'a'), prompt(b.sessionId, 'b')])).toEqual([
      { stopReason: 'end_turn' },
      { stopReason: 'end_turn' },
    ])
    expect((await agent.request('session/list', {})).sessions).toHaveLength(2)
  })
})

describe('a turn that the editor cancels', () => {
  it('ends while the model answers', async () => {
    const world = await openWorld()
    const text = unfinished({ type: 'text', text: 'It goes on and on' }, 1)
    world.server.reply({ sse: text, ending: 'hang' }, say('Here again.'))
    const { begin, prompt, agent, said } = await openEditor(world)
    const { sessionId } = await begin()
    const turn = prompt(sessionId, 'talk')
    await vi.waitUntil(() => said() !== '', patience)
    await agent.notify('session/cancel', { sessionId })
    expect(await turn).toEqual({ stopReason: 'cancelled' })
    expect(await prompt(sessionId, 'again')).toEqual({ stopReason: 'end_turn' })
  })

  it('ends at a question', async () => {
    const world = await openWorld()
    world.server.reply(use(['bash', { command: 'touch made' }]))
    const { begin, prompt, agent, asked } = await openEditor(world, {
      permit: () => new Promise(() => undefined),
    })
    const { sessionId } = await begin()
    const turn = prompt(sessionId, 'make it')
    await vi.waitUntil(() => asked.length > 0, patience)
    await agent.notify('session/cancel', { sessionId })
    expect(await turn).toEqual({ stopReason: 'cancelled' })
    expect(existsSync(join(world.cwd, 'made'))).toBe(false)
  })

  it('ends with its command', async () => {
    const world = await openWorld()
    world.server.reply(use(['bash', { command: 'sleep 4242.1' }]))
    const { begin, prompt, agent } = await openEditor(world, { args: ['--permission-mode', 'bypass'] })
    const { sessionId } = await begin()
    const turn = prompt(sessionId, 'wait')
    await untilRuns('4242.1')
    await agent.notify('session/cancel', { sessionId })
    expect(await turn).toEqual({ stopReason: 'cancelled' })
    await untilNoneRuns('4242.1')
  })
})

describe('a question of the model', () => {
  const question = { question: 'Which one?', kind: 'select', options: ['red', 'blue'] }

  it('is a form where the editor has forms', async () => {
    const world = await openWorld()
    world.server.reply(use(['ask', { questions: [question] }]), say('Blue it is.'))
    const { begin, prompt } = await openEditor(world, {
      capabilities: { elicitation: { form: {} } },
      fill: ({ message }) =>
        message.includes('Which one?')
          ? { action: 'accept', content: { answer: 'blue' } }
          : { action: 'cancel' },
    })
    await prompt((await begin()).sessionId, 'choose')
    expect(lastRequest(world)).toContain('blue')
  })

  it('is a choice where it has none', async () => {
    const world = await openWorld()
    world.server.reply(use(['ask', { questions: [question] }]), say('Red it is.'))
    const { begin, prompt, asked } = await openEditor(world)
    await prompt((await begin()).sessionId, 'choose')
    expect(asked).toMatchObject([
      { toolCall: { title: 'Which one?' }, options: [{ name: 'red' }, { name: 'blue' }] },
    ])
    expect(lastRequest(world)).toContain('red')
  })
})

it.each([
  ['accept', '"action":"accept"'],
  ['decline', '"action":"decline"'],
  ['cancel', '"action":"cancel"'],
] as const)('shows the page that a server asks for: %s', async (action, told) => {
  const world = await openWorld()
  world.server.reply(use(['find_tools', { query: 'work' }]), use(['mcp__odd__work', {}]), say('Done.'))
  const pages: unknown[] = []
  const { begin, prompt } = await openEditor(world, {
    args: ['--permission-mode', 'bypass'],
    capabilities: { elicitation: { url: {} } },
    fill: (asked) => {
      pages.push([asked.mode, 'url' in asked && asked.url])
      return { action }
    },
  })
  const page = { mode: 'url', message: 'Log in', url: 'https://login.example/x', elicitationId: 'e' }
  const { sessionId } = await begin({
    name: 'odd',
    command: process.execPath,
    args: [join(root, 'test/support/mcp/odd-server.js'), 'asking', JSON.stringify(page)],
    env: [],
  })
  await prompt(sessionId, 'go')
  expect(pages).toEqual([['url', 'https://login.example/x']])
  expect(lastRequest(world)).toContain(told)
})

it('starts the MCP servers that the editor brings', async () => {
  const world = await openWorld()
  world.server.reply(
    use(['find_tools', { query: 'sum' }]),
    use(['mcp__notes__get_sum', { a: 20, b: 22 }]),
    say('42.'),
  )
  const { begin, prompt, updates } = await openEditor(world, { args: ['--permission-mode', 'bypass'] })
  const server = {
    name: 'notes',
    command: process.execPath,
    args: [join(root, 'test/support/mcp/real-server.js')],
    env: [],
  }
  const { sessionId } = await begin(server)
  await prompt(sessionId, 'add 20 and 22')
  const result = {
    type: 'content',
    content: { type: 'text', text: expect.stringContaining('the sum is 42') },
  }
  expect(updates).toContainEqual(expect.objectContaining({ status: 'completed', content: [result] }))
})

describe('an editor that is gone', () => {
  it('leaves no process and no command behind', async () => {
    const world = await openWorld()
    world.server.reply(use(['bash', { command: 'sleep 4242.2' }]))
    const { begin, prompt, program } = await openEditor(world, { args: ['--permission-mode', 'bypass'] })
    const { sessionId } = await begin()
    prompt(sessionId, 'wait').catch(() => undefined)
    await untilRuns('4242.2')
    // What is left of a killed editor: both ends of the pipes are closed.
    program.stdin.destroy()
    program.stdout.destroy()
    await untilGone(program.pid ?? 0)
    await untilNoneRuns('4242.2')
  })
})

describe('the error of a turn', () => {
  it('is told in words', async () => {
    const world = await openWorld()
    world.server.reply({ status: 401, body: '{"error":{"message":"no such key"}}' })
    const { begin, prompt } = await openEditor(world)
    const { sessionId } = await begin()
    await expect(prompt(sessionId, 'hi')).rejects.toMatchObject({
      code: -32000,
      message: expect.stringContaining('401'),
    })
  })
})

it('writes nothing but messages to stdout, and refuses what comes before the first', async () => {
  const world = await openWorld()
  await writeFile(join(world.home, 'config.json'), '{"model": "fake/model-1", "unknown_setting": 1}')
  const run = await world.pipe(['acp'], {
    input: 'no json\n{"jsonrpc":"2.0","id":1,"method":"session/new","params":{}}\n',
  })
  const lines = run.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines).toMatchObject([{ error: { code: -32700 } }, { id: 1, error: { code: -32600 } }])
  expect(run.code).toBe(0)
})

/** The last message that the model was sent. */
function lastRequest({ server }: World): string {
  const [last] = server.requests.slice(-1)
  return last === undefined ? '' : lastText(last.body)
}
