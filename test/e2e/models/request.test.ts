import { describe, expect, it } from 'vitest'
import manifest from '../../../package.json' with { type: 'json' }
import { rememberTool } from '../../../src/builtin/memory/remember-tool.ts'
import { askTool } from '../../../src/builtin/work/ask-tool.ts'
import { outlineRequest, say, use } from '../../support/models/replies.ts'
import { openWorld } from '../../support/programs/world.ts'

describe('a request', () => {
  it('spends at most 6,500 bytes on the system prompt and all tools, with those that ask the user', async () => {
    const { pipe, server } = await openWorld()
    server.reply(say('Hello.'))
    await pipe(['hi'])
    const [request] = server.requests
    const [system = ''] = request === undefined ? [] : outlineRequest(request.body)
    const tools = request?.body.tools ?? []
    expect(tools.map((tool) => tool.function.name).sort()).toEqual([
      'bash',
      'edit',
      'elf',
      'fetch',
      'glob',
      'grep',
      'process',
      'read',
      'rename',
      'todo',
      'write',
    ])
    const asking = [askTool, rememberTool].map(({ name, description, parameters }) => ({
      type: 'function',
      function: { name, description, parameters },
    }))
    const cost = Buffer.byteLength(system) + Buffer.byteLength(JSON.stringify([...tools, ...asking]))
    expect(cost).toBeGreaterThan(2_000)
    expect(cost).toBeLessThanOrEqual(6_500)
  })

  it('names pipe and its version', async () => {
    const { pipe, server } = await openWorld()
    server.reply(say('Hello.'))
    await pipe(['hi'])
    expect(server.requests.map(({ headers }) => headers['user-agent'])).toEqual([`pipe/${manifest.version}`])
  })

  it('carries the flags meant for the model', async () => {
    const { pipe, server } = await openWorld()
    server.reply(say('Hello.'))
    const flags = ['--max-tokens', '99', '--temperature', '0.5', '--thinking', 'low']
    await pipe([...flags, '--system-prompt', 'Be kind.', '--append-system-prompt', 'Be brief.', 'hi'])
    expect(server.requests.map(({ body }) => body)).toMatchObject([
      {
        max_tokens: 99,
        temperature: 0.5,
        reasoning_effort: 'low',
        messages: [{ role: 'system', content: 'Be kind.\n\nBe brief.' }, { role: 'user' }],
      },
    ])
  })

  it('begins with the whole previous request, so that caches apply', async () => {
    const { pipe, server } = await openWorld()
    server.reply(use(['glob', { pattern: '*' }]), say('Nothing.'), say('Still nothing.'))
    await pipe(['what is here?'])
    await pipe(['-c', 'and now?'])
    const [first, second, third] = server.requests.map(({ body }) =>
      JSON.stringify(body.messages).slice(0, -1),
    )
    expect(first).not.toBe(undefined)
    expect(second?.startsWith(first ?? '')).toBe(true)
    expect(third?.startsWith(second ?? '')).toBe(true)
  })
})
