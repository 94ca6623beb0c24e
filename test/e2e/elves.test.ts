import { describe, expect, it } from 'vitest'
import { expectRun } from '../support/program.ts'
import { lastText, say, use } from '../support/replies.ts'
import { openWorld } from '../support/world.ts'

describe('an elf', () => {
  it('works with a context of its own and returns its last text', async () => {
    const world = await openWorld()
    world.server.reply(
      use(['elf', { prompt: 'count the files', agent: 'explore' }]),
      say('There are three.'),
      say('The elf says three.'),
    )
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
})
