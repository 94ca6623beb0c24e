import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lastText, say, use } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld, type World } from '../../support/programs/world.ts'
import { hasTerminal, openTerminal } from '../../support/terminals/terminal.ts'

/** The file of an agent. */
function agent(name: string, ...fields: readonly string[]): string {
  return ['---', `name: ${name}`, `description: does ${name}`, ...fields, '---', `Be ${name}.`, ''].join('\n')
}

async function putOwn({ home }: World, name: string, content: string): Promise<void> {
  const path = join(home, 'agents', name)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
}

/** Lists what each request so far asked for: the model, the names of the tools, the end of the system prompt. */
function asked({ server }: World) {
  return server.requests.map(({ body: { model, tools = [], messages } }) => ({
    model,
    tools: tools.map((tool) => tool.function.name),
    prompt: String(messages[0]?.content).split('\n').at(-1),
  }))
}

const all = ['read', 'write', 'edit', 'rename', 'bash', 'process', 'grep', 'glob', 'fetch', 'todo', 'elf']
const usual = { model: 'model-1', tools: all, prompt: expect.stringMatching(/^- Be brief/) }

describe('a built-in agent', () => {
  it('limits the tools that the model is offered, and nothing else runs', async () => {
    const world = await openWorld()
    world.server.reply(use(['bash', { command: 'touch made' }]), say('So be it.'))
    expectRun(await world.pipe(['--agent', 'explore', '--yolo', 'look']), { stdout: 'So be it.\n' })
    expect(asked(world)[0]).toEqual({
      model: 'model-1',
      tools: ['read', 'grep', 'glob'],
      prompt: '- Say what you looked for and did not find.',
    })
    expect(world.server.requests.map(({ body }) => lastText(body))[1]).toBe(
      'tool: there is no tool bash; the tools are: read, grep, glob',
    )
  })

  it('uses its route if there is one, and -m wins', async () => {
    const world = await openWorld()
    const { server } = world
    await world.configure({
      model: 'fake/model-1',
      routes: { fast: 'fake/quick' },
      providers: { fake: { base_url: server.baseUrl } },
    })
    server.reply(say('One.'), say('Two.'), say('Three.'))
    for (const flags of [
      ['--agent', 'explore'],
      ['--agent', 'explore', '-m', 'fake/mine'],
      ['--agent=general'],
    ])
      await world.pipe([...flags, 'look'])
    expect(asked(world).map(({ model }) => model)).toEqual(['quick', 'mine', 'model-1'])
    expect(asked(world)[2]).toEqual(usual)
  })

  it('is a choice of the run, not of the session', async () => {
    const world = await openWorld()
    await putOwn(world, 'quick.md', agent('quick', 'model: fake/quick', 'tools: []'))
    const { server } = world
    server.reply(say('One.'), say('Two.'), say('Three.'))
    for (const flags of [['--agent', 'quick'], ['-c'], ['-c', '--agent', 'quick']])
      expectRun(await world.pipe([...flags, 'look']), { stdout: expect.any(String) })
    const quick = { model: 'quick', tools: [], prompt: 'Be quick.' }
    expect(asked(world)).toEqual([quick, usual, quick])
    const [session] = await world.sessions()
    expect(JSON.stringify(session)).not.toContain('Be quick.')
    const log = await readFile(join(world.home, 'audit', `${session?.id}.jsonl`), 'utf8')
    const prompts = log.split('\n').filter((line) => line.includes('"type":"system_context"'))
    expect(prompts.map((line) => line.includes('Be quick.'))).toEqual([true, false, true])
  })
})

describe('the tools of an agent', () => {
  const file = agent('careful', 'tools: "*"', 'disallowedTools: Bash, Write, Edit')
  const isKept = (name: string) => !['bash', 'write', 'edit', 'rename'].includes(name)
  const tries = use(['bash', { command: 'touch made' }])
  const missing = expect.stringContaining('there is no tool bash;')
  const delegate = (as: string) =>
    use(['elf', { action: 'run', prompt: 'look', agent: as, isolation: 'none' }])

  it('are not those that its file disallows', async () => {
    const world = await openWorld()
    await putOwn(world, 'careful.md', file)
    world.server.reply(tries, say('So be it.'))
    expectRun(await world.pipe(['--agent', 'careful', '--yolo', 'look']), { stdout: 'So be it.\n' })
    expect(asked(world)[0]?.tools).toEqual(all.filter(isKept))
    expect(world.server.requests.map(({ body }) => lastText(body))[1]).toEqual(missing)
  })

  it.each([
    ['as an elf', 'careful', []],
    ['as what starts another agent as an elf', 'general', ['--agent', 'careful']],
  ])('are no others if it works %s', async (_, elf, flags) => {
    const world = await openWorld()
    await putOwn(world, 'careful.md', file)
    world.server.reply(delegate(elf), tries, say('So be it.'), say('Done.'))
    expectRun(await world.pipe([...flags, '--yolo', 'delegate']), { stdout: 'Done.\n' })
    expect(asked(world)[1]?.tools).toEqual(all.filter((name) => name !== 'elf' && isKept(name)))
    expect(world.server.requests.map(({ body }) => lastText(body))[2]).toEqual(missing)
  })
})

describe('the mode of an agent', () => {
  it.each([
    ['plan', 'bypass', 'plan mode only reads; propose the change instead'],
    ['bypass', 'plan', 'plan mode only reads; propose the change instead'],
    ['bypass', 'default', 'touch made can change things, and nobody can be asked for permission here'],
  ])('%s only tightens the mode %s of the run', async (mode, given, reason) => {
    const world = await openWorld()
    await putOwn(world, 'a.md', agent('a', `mode: ${mode}`))
    world.server.reply(use(['bash', { command: 'touch made' }]), say('So be it.'))
    await world.pipe(['-q', '--agent', 'a', '--permission-mode', given, 'go'])
    const [, request] = world.server.requests
    expect(request && lastText(request.body)).toBe(
      `tool: Permission denied: ${reason}. The call was not carried out.`,
    )
  })

  it.skipIf(!hasTerminal)('holds in a conversation, which names the agent', async () => {
    const world = await openWorld()
    const terminal = await openTerminal(world, 'TERM=dumb pipe --agent review')
    await terminal.until(/^pipe fake\/model-1 · agent review · Ctrl\+C stops, Ctrl\+D leaves\n>$/)
    await terminal.line('/mode bypass')
    await terminal.until(/pipe: the agent review works in mode plan or a stricter one, not bypass\n>$/)
    await terminal.line('/mode')
    await terminal.until(/mode: plan\n>$/)
  })

  it.skipIf(!hasTerminal)('holds on a full screen, whose status names the agent', async () => {
    const world = await openWorld()
    const terminal = await openTerminal(world, 'pipe --agent review')
    await terminal.until(/plan · agent review · /)
    await terminal.key('BTab')
    await terminal.until(/the agent review works in mode plan or a stricter one, not default/)
    await terminal.until(/plan · agent review · /)
  })
})

describe('an agent of a project', () => {
  it('works once it is trusted, and not after a change', async () => {
    const world = await openWorld()
    const { server, cwd } = world
    const path = join(cwd, '.pipe/agents/a.md')
    await world.put('.pipe/agents/a.md', agent('a', 'tools: [read]'))
    const run = () => world.pipe(['--agent', 'a', 'go'])
    const refusal = { code: 55, stdout: '', stderr: `pipe: ${path} needs your approval: run pipe trust\n` }
    expectRun(await run(), refusal)
    expectRun(await world.pipe(['--agent', 'a', '--trust', 'go']), refusal)
    expectRun(await world.pipe(['trust']), { stdout: `trusted: ${cwd}\nagent: a (${path}) does a\n` })
    server.reply(say('Done.'))
    expectRun(await run(), { stdout: 'Done.\n' })
    expect(asked(world)).toEqual([{ model: 'model-1', tools: ['read'], prompt: 'Be a.' }])
    await world.put('.pipe/agents/a.md', agent('a'))
    expectRun(await run(), refusal)
    expect(server.requests).toHaveLength(1)
  })

  it('does not hide another before it is trusted', async () => {
    const world = await openWorld()
    await world.put('.pipe/agents/explore.md', agent('explore'))
    world.server.reply(say('Done.'), say('Done.'))
    expectRun(await world.pipe(['--agent', 'explore', 'go']), {
      stdout: 'Done.\n',
      stderr: complaint(`${world.cwd}/.pipe/agents/explore.md needs your approval: run pipe trust`),
    })
    await world.pipe(['trust'])
    await world.pipe(['--agent', 'explore', 'go'])
    expect(asked(world).map(({ prompt }) => prompt)).toEqual([
      '- Say what you looked for and did not find.',
      'Be explore.',
    ])
  })

  it('may be one of Claude Code, and what has no effect is named', async () => {
    const world = await openWorld()
    const fields = ['tools: Read, Grep, WebSearch', 'model: sonnet', 'color: red']
    await world.put('.claude/agents/a.md', agent('a', ...fields))
    await world.pipe(['trust'])
    world.server.reply(say('Done.'))
    const path = join(world.cwd, '.claude/agents/a.md')
    expectRun(await world.pipe(['--agent', 'a', 'go']), {
      stdout: 'Done.\n',
      stderr: [
        `pipe: ${path}:4: there is no tool "WebSearch"`,
        `pipe: ${path}: there is no route default in your settings, so the usual model answers`,
        '',
      ].join('\n'),
    })
    expect(asked(world)).toEqual([{ model: 'model-1', tools: ['read', 'grep'], prompt: 'Be a.' }])
  })
})

describe('an agent that does not work', () => {
  it('is a usage error with the names of all agents and the broken files', async () => {
    const world = await openWorld()
    await putOwn(world, 'broken.md', agent('broken', 'mode: yolo'))
    await putOwn(world, 'mine.md', agent('mine'))
    const run = await world.pipe(['--agent', 'exlpore', 'go'])
    expectRun(run, {
      code: 2,
      stdout: '',
      stderr: [
        'pipe: there is no agent "exlpore", only explore, general, mine, review; did you mean explore?',
        `  ${world.home}/agents/broken.md:4: mode takes plan, default, accept-edits, auto, bypass, not "yolo" (see pipe agents)\n`,
      ].join('\n'),
    })
    expect(world.server.requests).toEqual([])
  })

  it('names the file that sets a model without a key', async () => {
    const world = await openWorld()
    await putOwn(world, 'a.md', agent('a', 'model: openai/gpt-5'))
    expectRun(await world.pipe(['--agent', 'a', 'go']), {
      code: 41,
      stdout: '',
      stderr: complaint(`pipe auth set openai (${world.home}/agents/a.md sets the model)`),
    })
  })
})

describe('pipe agents', () => {
  it('lists the agents, and names what cannot be used', async () => {
    const world = await openWorld()
    await putOwn(world, 'a.md', agent('a', 'model: fake/quick', 'isolation: worktree'))
    await putOwn(world, 'broken.md', 'none')
    await world.put('.pipe/agents/b.md', agent('b'))
    const run = await world.pipe(['agents'])
    const own = join(world.home, 'agents')
    expectRun(run, {
      stdout: [
        'NAME     FROM     MODEL       DESCRIPTION',
        'a        user     fake/quick  does a',
        'explore  builtin  route fast  Finds and reads what matters for a question, and changes nothing',
        'general  builtin  -           Does any task, with all tools',
        'review   builtin  -           Reviews code and changes for faults, and changes nothing',
        '',
      ].join('\n'),
      stderr: [
        `pipe: ${own}/broken.md:1: expected --- in a line of its own, then the fields`,
        `pipe: ${world.cwd}/.pipe/agents/b.md: the agent b needs your approval: run pipe trust`,
        '',
      ].join('\n'),
    })
    const { agents } = JSON.parse((await world.pipe(['agents', '--json'])).stdout)
    expect(agents[0]).toEqual({
      name: 'a',
      description: 'does a',
      source: 'user',
      path: join(own, 'a.md'),
      model: 'fake/quick',
      isolation: 'worktree',
    })
    const { stdout } = await world.pipe(['doctor'], { env: { FAKE_BASE_URL: 'http://127.0.0.1:1' } })
    const rows = stdout.replaceAll(/ {2,}/g, '  ')
    expect(rows).toContain('✓ agents  a, explore, general, review\n')
    expect(rows).toContain(`– agents  ${own}/broken.md:1: expected --- in a line of its own`)
  })

  it('lets no name or text act on the terminal or forge a line', async () => {
    const world = await openWorld()
    const evil = '\u001b]0;title\u0007\u202e'
    await putOwn(world, 'a.md', '---\nname: a\ndescription: "one\\ntwo\u202e \u200b"\n---\n')
    await putOwn(world, 'b.md', `---\nname: "${evil}"\ndescription: b\n---\n`)
    await putOwn(world, 'c.md', '---\nname: "\u202ec"\ndescription: c\n---\n')
    await putOwn(world, `d${evil}\nforged.md`, agent('d'))
    const { stdout, stderr } = await world.pipe(['agents'])
    const unknown = await world.pipe(['--agent', evil, 'go'])
    for (const text of [stdout, stderr, unknown.stderr]) expect(text).not.toMatch(/[^\n\P{Cc}]|\u202e/u)
    expect(stdout.split('\n')[1]).toMatch(/^a +user +- +one two/)
    expect(stderr.split('\n')).toHaveLength(3)
    expect(unknown.code).toBe(2)
  })

  it('lets no folder forge a line', async () => {
    const world = await openWorld()
    const cwd = join(world.cwd, 'a\npipe: forged')
    await mkdir(join(cwd, '.pipe/agents'), { recursive: true })
    await writeFile(join(cwd, '.pipe/agents/a.md'), agent('a'))
    await writeFile(join(cwd, '.pipe/agents/b.md'), 'none')
    for (const args of [
      ['agents'],
      ['--agent', 'a', 'go'],
      ['--agent', 'none', 'go'],
      ['trust'],
      ['doctor'],
    ]) {
      const env = { FAKE_BASE_URL: 'http://127.0.0.1:1' }
      const { stdout, stderr } = await world.pipe(args, { cwd, env })
      expect(stdout + stderr).not.toContain('\npipe: forged')
      expect(stdout + stderr).toContain(String.raw`a\x0apipe: forged/.pipe/agents/`)
    }
  })

  it('does not wait for a named pipe', async () => {
    const world = await openWorld()
    await world.shell('mkdir -p .pipe/agents && mkfifo .pipe/agents/a.md')
    expectRun(await world.pipe(['agents']), {
      stdout: expect.stringContaining('explore'),
      stderr: `pipe: ${world.cwd}/.pipe/agents/a.md: it is not a regular file\n`,
    })
  })
})

it('an agent is in the record of the run', async () => {
  const world = await openWorld()
  world.server.reply(say('Done.'))
  await world.pipe(['--agent', 'review', 'go'])
  const [session] = await world.sessions()
  expect(JSON.stringify(session?.messages[0])).toContain(String.raw`\"agent\":\"review\"`)
  const log = await readFile(join(world.home, 'audit', `${session?.id}.jsonl`), 'utf8')
  expect(log).toContain('"source":"the agent review"')
})
