import { describe, expect, it, type TestContext } from 'vitest'
import { z } from 'zod'
import { lastText, say, use } from '../../support/models/replies.ts'
import { readAll, withSdk } from './agent-sdk-setup.ts'
import { promptOf } from './sdk-prompt.ts'

const openSdk = withSdk()

/** Opens a world and a server of the test's own, which adds numbers. */
async function open(context: TestContext) {
  const world = await openSdk(context)
  const { createSdkMcpServer, tool } = world.sdk
  const added: unknown[] = []
  const addsTo = (name: string) =>
    createSdkMcpServer({
      name,
      tools: [
        tool('add', 'Adds two numbers', { a: z.number(), b: z.number() }, async (args) => {
          added.push(args)
          if (args['a'] === 13) throw new Error('I do not add 13')
          return { content: [{ type: 'text', text: `the sum is ${Number(args['a']) + Number(args['b'])}` }] }
        }),
      ],
    })
  return { ...world, added, addsTo }
}

const find = use(['find_tools', { query: 'add numbers' }])
const add = (a: number, b: number) => use(['mcp__sums__add', { a, b }])

describe('tools that the driving program defines', () => {
  it('are found, asked about, and called', async (context) => {
    const { ask, server, added, addsTo } = await open(context)
    server.reply(find, add(2, 40), say('42.'))
    const asked: unknown[] = []
    const canUseTool = async (name: string, input: unknown) => {
      asked.push([name, input])
      return { behavior: 'allow' }
    }
    const { messages, error } = await readAll(
      ask('2 + 40?', { mcpServers: { sums: addsTo('sums') }, canUseTool }),
    )
    expect([error, asked, added]).toEqual([
      undefined,
      [['mcp__sums__add', { a: 2, b: 40 }]],
      [{ a: 2, b: 40 }],
    ])
    expect(JSON.stringify(server.requests[2]?.body)).toContain('the sum is 42')
    expect(messages[0]).toMatchObject({ mcp_servers: [{ name: 'sums' }] })
    expect(messages.at(-1)).toMatchObject({ subtype: 'success', result: '42.' })
  })

  it('run without a question where a rule allows them, and never where none may be asked', async (context) => {
    const { ask, server, added, addsTo } = await open(context)
    const mcpServers = { sums: addsTo('sums') }
    server.reply(find, add(1, 1), say('2.'), find, add(2, 2), say('No.'))
    await readAll(ask('1 + 1?', { mcpServers, allowedTools: ['mcp__sums__add'] }))
    const { messages } = await readAll(ask('2 + 2?', { mcpServers }))
    expect(added).toEqual([{ a: 1, b: 1 }])
    expect(messages.at(-1)).toMatchObject({ permission_denials: [{ tool_name: 'mcp__sums__add' }] })
  })

  it('tell the model that they failed', async (context) => {
    const { ask, server, addsTo } = await open(context)
    server.reply(find, add(13, 1), say('It failed.'))
    const options = { mcpServers: { sums: addsTo('sums') }, allowedTools: ['mcp__sums__add'] }
    const { messages } = await readAll(ask('13 + 1?', options))
    expect(lastText(server.requests[2]?.body ?? { model: '', stream: true, messages: [] })).toContain(
      'I do not add 13',
    )
    expect(messages.at(-1)).toMatchObject({ subtype: 'success' })
  })

  it('come and go while the conversation runs', async (context) => {
    const { ask, server, added, addsTo } = await open(context)
    server.reply(say('One.'), find, add(1, 2), say('3.'), find, say('None.'))
    const { prompt, go } = promptOf(['first', '1 + 2?', 'and now?'])
    const query = ask(prompt, { allowedTools: ['mcp__sums__add'] })
    const changes: unknown[] = []
    const steps = [
      async () => {
        changes.push(
          await query.setMcpServers({ sums: addsTo('sums'), gone: { command: '/does/not/exist' } }),
        )
        changes.push(await query.mcpServerStatus())
        await query.reconnectMcpServer('sums')
      },
      async () => {
        await query.toggleMcpServer('sums', false)
        changes.push(await query.mcpServerStatus())
        await expect(query.reconnectMcpServer('other')).rejects.toThrow('there is no MCP server "other" here')
      },
    ]
    const { error } = await readAll(query, async ({ type }) => {
      if (type !== 'result') return
      await steps.shift()?.()
      go()
    })
    expect([error, added]).toEqual([undefined, [{ a: 1, b: 2 }]])
    expect(changes).toMatchObject([
      { added: ['gone', 'sums'], removed: [], errors: { gone: expect.stringContaining('gone') } },
      [
        { name: 'gone', status: 'failed' },
        { name: 'sums', status: 'connected', tools: [{ name: 'add' }] },
      ],
      [{ name: 'gone' }, { name: 'sums', status: 'disabled' }],
    ])
  })
})
