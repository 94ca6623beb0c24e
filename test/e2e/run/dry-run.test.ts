import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lastText, say } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld, type World } from '../../support/programs/world.ts'

const priced = async ({ configure, server }: World, more: object = {}) =>
  configure({
    model: 'fake/model-1',
    providers: { fake: { dialect: 'openai-chat', base_url: server.baseUrl } },
    models: { 'fake/model-1': { max_output: 1_000, price: { input: 2, output: 10 } } },
    ...more,
  })

describe('--dry-run', () => {
  it('prints the request that would be sent, and sends, runs and keeps nothing', async () => {
    const world = await openWorld()
    const { pipe, put, home, cwd, server } = world
    await priced(world, {
      hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: 'touch ran' }] }] },
    })
    await put('notes.txt', 'remember\n')
    const args = ['--max-cost', '0.5', '--check', 'touch checked', 'what is in @notes.txt?']
    const run = await pipe(['--dry-run', ...args], { input: 'some data' })
    expectRun(run, { stdout: expect.any(String) })
    expect(run.stdout).toMatch(/^model: +fake\/model-1\ntools: +read, .*bash/)
    expect(run.stdout).toMatch(/\ntokens: +about [\d.]+k: system prompt \d+, tools [\d.k]+, messages \d+\n/)
    expect(run.stdout).toMatch(
      /\nreply: +at most 1k tokens\ncost: +at most about \$0\.01\d\d for this request; at most \$0\.5000 for the run\n/,
    )
    for (const part of ['--- system prompt\n', 'remember', 'some data', 'what is in @notes.txt?'])
      expect(run.stdout).toContain(part)
    expect(server.requests).toEqual([])
    expect((await readdir(cwd)).sort()).toEqual(['notes.txt'])
    expect(await readdir(home)).toEqual(['config.json'])
  })

  it.each([
    [{}, 'no price'],
    [{ price: { input: 2, output: 10 } }, 'no limit of the reply (--max-output-tokens)'],
  ])('says what it lacks for the cost: %j', async (facts, lack) => {
    const world = await openWorld()
    const elsewhere = { fake: { dialect: 'openai-chat', base_url: 'https://models.example/v1' } }
    await priced(world, { providers: elsewhere, models: { 'fake/model-1': facts } })
    const { stdout } = await world.pipe(['--dry-run', 'hi'])
    expect(stdout).toContain(
      `cost:         ${lack} is known for this model; no limit for the run (--max-cost)`,
    )
  })

  it.each([
    ['/compact', '--dry-run cannot show what /compact sends'],
    ['/cost', '--dry-run has nothing to show: /cost sends nothing'],
  ])('refuses %s, which is no message', async (command, words) => {
    const { pipe, server } = await openWorld()
    expectRun(await pipe(['--dry-run', command]), {
      code: 2,
      stdout: '',
      stderr: complaint(new RegExp(words)),
    })
    expect(server.requests).toEqual([])
  })

  it('shows the text of a template, and refuses one that the run would refuse', async () => {
    const world = await openWorld()
    await world.put('.pipe/commands/review.md', 'Review in style {{style}}: $ARGUMENTS')
    await world.pipe(['trust'])
    const { stdout } = await world.pipe(['--dry-run', '-t', 'review', '--param', 'style=terse', 'a.ts'])
    expect(stdout).toContain('Review in style terse: a.ts')
    expect((await world.pipe(['--dry-run', '-t', 'review', 'a.ts'])).code).toBe(2)
    expect((await world.pipe(['--dry-run', '-t', 'nope', 'x'])).code).toBe(42)
    const driven = await world.pipe(['--dry-run', '--input-format', 'stream-json', '-o', 'stream-json'])
    expect(driven.code).toBe(2)
    expect(world.server.requests).toEqual([])
  })

  it('prints as JSON what the run then sends', async () => {
    const world = await openWorld()
    const { pipe, server } = world
    await priced(world)
    const args = ['--json-schema', 'age int', '--temperature', '0.5', 'how old?']
    const dry = JSON.parse((await pipe(['--dry-run', '-o', 'json', ...args])).stdout)
    server.reply(say('{"age": 3}'))
    await pipe(args)
    const [sent] = server.requests
    expect(dry).toMatchObject({
      type: 'dry_run',
      model: 'fake/model-1',
      temperature: 0.5,
      format: { type: 'schema' },
    })
    expect(dry.system_prompt).toBe(sent?.body.messages[0]?.content)
    expect(dry.tools.map((tool: { name: string }) => tool.name)).toEqual(
      sent?.body.tools?.map((tool) => tool.function.name),
    )
    expect(dry.messages.at(-1).content.at(-1).text).toBe('how old?')
    expect(sent && lastText(sent.body)).toContain(dry.messages.at(-1).content[0].text)
    const { system_prompt, tools, messages, total } = dry.estimated_tokens
    expect(total).toBe(system_prompt + tools + messages)
  })

  it('goes on from a session without changing it', async () => {
    const { pipe, server, home } = await openWorld()
    server.reply(say('Four.'))
    await pipe(['2 + 2?'])
    const [name = ''] = (await readdir(join(home, 'sessions'))).filter((file) => file.endsWith('.json'))
    const before = await readFile(join(home, 'sessions', name), 'utf8')
    const dry = JSON.parse((await pipe(['-c', '--dry-run', '-o', 'json', 'and 3 + 3?'])).stdout)
    expect(dry.messages.map(({ type }: { type: string }) => type)).toEqual(['user', 'assistant', 'user'])
    expect(await readFile(join(home, 'sessions', name), 'utf8')).toBe(before)
  })
})
