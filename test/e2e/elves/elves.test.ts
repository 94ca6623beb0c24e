import { describe, expect, it, onTestFinished } from 'vitest'
import { deferred } from '../../support/clocks/deferred.ts'
import { blocks, calls, isAbout, replyBy } from '../../support/models/elf-replies.ts'
import { type FakeReply, startFakeAnthropic, startFakeOllama } from '../../support/models/fake-server.ts'
import { lastText, say, use } from '../../support/models/replies.ts'
import { expectRun, type Run } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'

const elf = (prompt: string, more = {}) => ['elf', { prompt, agent: 'explore', ...more }] as const

interface Line {
  readonly type: string
  readonly agent_id?: string
  readonly seq?: number
  readonly [field: string]: unknown
}

function linesOf({ stdout }: Run): readonly Line[] {
  return stdout
    .trimEnd()
    .split('\n')
    .map((line): Line => JSON.parse(line))
}

/** The numbers of each agent's events, in the order of the lines. */
function numbersOf(lines: readonly Line[]): ReadonlyMap<string, readonly number[]> {
  const numbers = new Map<string, number[]>()
  for (const { agent_id: agent, seq } of lines)
    if (agent !== undefined && seq !== undefined) numbers.set(agent, [...(numbers.get(agent) ?? []), seq])
  return numbers
}

function expectGapless(lines: readonly Line[], agents: number): void {
  const numbers = [...numbersOf(lines).values()]
  expect(numbers).toHaveLength(agents)
  for (const all of numbers) expect(all).toEqual(all.map((_, i) => i + 1))
}

/** Opens a gate that lets requests pass once `count` of them have come. */
function gate(count: number): () => Promise<void> {
  const open = deferred<void>()
  let come = 0
  return () => {
    come++
    if (come === count) open.resolve()
    return open.promise
  }
}

describe('an elf', () => {
  it('works with a context of its own and returns its last text', async () => {
    const world = await openWorld()
    world.server.reply(use(elf('count the files')), say('There are three.'), say('The elf says three.'))
    expectRun(await world.pipe(['how many files?']), { stdout: 'The elf says three.\n' })
    expect(world.server.requests.map(({ body }) => lastText(body))).toEqual([
      expect.stringMatching(/how many files\?$/),
      expect.stringMatching(/count the files$/),
      'tool: There are three.\n\n[e1 · explore · fake/model-1 · 1 round]',
    ])
  })

  it('can do no more than the agent that started it', async () => {
    const { pipe, server, configure } = await openWorld()
    await configure({
      model: 'fake/model-1',
      providers: { fake: { dialect: 'openai-chat', base_url: server.baseUrl } },
      actors: { agent_general: { capabilities: ['read_assets', 'tool_read_file'] } },
    })
    server.reply(
      use(['elf', { prompt: 'look', agent: 'review' }]),
      use(['bash', { command: 'ls' }]),
      say('No.'),
      say('Refused.'),
    )
    expectRun(await pipe(['--agent', 'general', 'look']), { stdout: 'Refused.\n' })
    const said = server.requests.map(({ body }) => lastText(body))
    expect(said[2]).toMatch(/agent_elf_\w+ does not have the capability tool_run_command/)
  })

  it('starts no elves and attaches no files that its prompt names', async () => {
    const world = await openWorld()
    await world.put('secret.txt', 'the secret')
    world.server.reply(use(elf('read @secret.txt', { agent: 'general' })), say('Read.'), say('Done.'))
    expectRun(await world.pipe(['go']), { stdout: 'Done.\n' })
    const [parent, child] = world.server.requests.map(({ body }) => body)
    const tools = (body: typeof parent) => body?.tools?.map(({ function: { name } }) => name)
    expect([tools(parent)?.includes('elf'), tools(child)?.includes('elf')]).toEqual([true, false])
    expect(JSON.stringify(child?.messages)).not.toContain('the secret')
  })

  it('does not exist where the settings say so', async () => {
    const world = await openWorld()
    await world.configure({
      model: 'fake/model-1',
      elves: false,
      providers: { fake: { dialect: 'openai-chat', base_url: world.server.baseUrl } },
    })
    world.server.reply(say('Alone.'))
    expectRun(await world.pipe(['go']), { stdout: 'Alone.\n' })
    const [request] = world.server.requests
    expect(request?.body.tools?.map(({ function: { name } }) => name)).not.toContain('elf')
  })

  it('obeys the rules of the folder', async () => {
    const world = await openWorld()
    await world.put('secret/key.txt', 'the secret')
    await world.configure({
      model: 'fake/model-1',
      permissions: { deny: ['Read(secret/**)'] },
      providers: { fake: { dialect: 'openai-chat', base_url: world.server.baseUrl } },
    })
    world.server.reply(
      use(elf('read the key')),
      use(['read', { path: 'secret/key.txt' }]),
      say('I may not.'),
      say('Done.'),
    )
    expectRun(await world.pipe(['--yolo', 'go']), { stdout: 'Done.\n' })
    const [, , request] = world.server.requests
    expect(request && lastText(request.body)).toContain('Permission denied')
  })

  it('cannot write to the terminal what its answer hides', async () => {
    const world = await openWorld()
    const hostile = 'fine\u001b]0;owned\u0007\u001b[2J\u{e0041}'
    world.server.reply(use(elf('look')), say(hostile), say('Done.'))
    const run = await world.pipe(['-v', 'go'])
    expect(run.stdout).toBe('Done.\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the point of the test
    expect(run.stderr).not.toMatch(/\u001b|\u0007/)
    expect(JSON.stringify(world.server.requests.at(-1)?.body)).not.toContain('\u{e0041}')
  })
})

describe('elves of one reply', () => {
  it('run side by side on servers of three dialects, one of them on its fallback', async () => {
    const world = await openWorld()
    const anthropic = await startFakeAnthropic()
    const ollama = await startFakeOllama()
    onTestFinished(async () => {
      await anthropic.close()
      await ollama.close()
      expect([...anthropic.violations, ...ollama.violations]).toEqual([])
    })
    await world.configure({
      model: 'fake/model-1',
      fallback: ['fake/spare'],
      providers: {
        fake: { dialect: 'openai-chat', base_url: world.server.baseUrl },
        claude: { dialect: 'anthropic', base_url: anthropic.baseUrl, api_key_env: 'CLAUDE_KEY' },
        local: { dialect: 'ollama', base_url: ollama.baseUrl },
        down: { dialect: 'openai-chat', base_url: world.server.baseUrl },
      },
    })
    anthropic.reply({ status: 529, headers: { 'x-should-retry': 'false' } })
    ollama.reply({ blocks: [{ type: 'text', text: 'ollama says hi' }] })
    replyBy(world.server, 4, (messages) => {
      if (isAbout(messages, 'one')) return blocks('chat says hi')
      if (isAbout(messages, 'two')) return blocks('the spare says hi')
      if (messages.at(-1)?.startsWith('tool: ')) return blocks('All three said hi.')
      return calls(
        elf('one', { model: 'fake/model-2' }),
        elf('two', { model: 'claude/sonnet' }),
        elf('three', { model: 'local/small' }),
      )
    })
    const run = await world.pipe(['-o', 'stream-json', 'ask three'], { env: { CLAUDE_KEY: 'k' } })
    expect(run).toMatchObject({ code: 0, stderr: '' })
    const lines = linesOf(run)
    expectGapless(lines, 4)
    expect(lines.filter(({ type }) => type === 'elf_start')).toHaveLength(3)
    expect(lines.filter(({ type }) => type === 'elf_end').map(({ stop_reason }) => stop_reason)).toEqual(
      Array(3).fill('end_turn'),
    )
    expect(lines.find(({ type }) => type === 'fallback')).toMatchObject({
      from: 'claude/sonnet',
      to: 'fake/spare',
    })
    const last = world.server.requests.at(-1)?.body.messages ?? []
    expect(last.slice(-3).map(({ content }) => String(content).split('\n')[0])).toEqual([
      'chat says hi',
      'the spare says hi',
      'ollama says hi',
    ])
    expect(lines.at(-1)).toMatchObject({ type: 'result', result: 'All three said hi.' })
  })

  it('interleave their events, and a fifth waits for a place', async () => {
    const world = await openWorld()
    const four = gate(4)
    let begun = 0
    replyBy(world.server, 7, async (messages) => {
      if (isAbout(messages, 'go')) {
        if (messages.at(-1)?.startsWith('tool: ') === true) return blocks('Done.')
        return calls(...['a', 'b', 'c', 'd', 'e'].map((name) => elf(name)))
      }
      begun++
      if (begun <= 4) await four()
      return blocks('Here.')
    })
    const lines = linesOf(await world.pipe(['-o', 'stream-json', 'go']))
    expectGapless(lines, 6)
    const marks = lines.flatMap(({ type, name }) => (/^elf_/.test(type) ? [`${type} ${String(name)}`] : []))
    expect(marks.slice(0, 4).every((mark) => mark.startsWith('elf_start'))).toBe(true)
    const ends = marks.findIndex((mark) => mark.startsWith('elf_end'))
    expect(marks.findLastIndex((mark) => mark.startsWith('elf_start'))).toBeGreaterThan(ends)
    expect(marks).toHaveLength(10)
  })

  it('spend from the budget of the run', async () => {
    const world = await openWorld()
    const spends = { prompt_tokens: 600, completion_tokens: 10, total_tokens: 610 }
    world.server.reply(
      { ...calls(elf('look')), usage: { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 } },
      { ...calls(['glob', { pattern: '*' }]), usage: spends },
    )
    const run = await world.pipe(['-o', 'json', '--max-tokens', '500', 'go'])
    expect(run.code).toBe(47)
    expect(JSON.parse(run.stdout)).toMatchObject({ usage: { input_tokens: 610 }, error: { code: 'budget' } })
  })

  it('end with the run on SIGINT', async () => {
    const world = await openWorld()
    const cut: Promise<boolean>[] = []
    const both = deferred<void>()
    const hang: FakeReply = ({ closed }) => {
      cut.push(closed)
      if (cut.length === 2) both.resolve()
    }
    world.server.reply(calls(elf('a'), elf('b')), hang, hang)
    const run = world.start(['-o', 'stream-json', 'go'])
    await both.promise
    run.kill('SIGINT')
    expect(await run.ended).toMatchObject({ code: 130 })
    expect(await Promise.all(cut)).toEqual([true, true])
  })
})
