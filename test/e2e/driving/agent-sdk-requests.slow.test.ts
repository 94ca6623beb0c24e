import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { say, use } from '../../support/models/replies.ts'
import { demo, skillFile } from '../plugins/plugin-setup.ts'
import { readAll, type SdkMessage, type SdkQuery, withSdk } from './agent-sdk-setup.ts'
import { promptOf } from './sdk-prompt.ts'

const open = withSdk()

/** Sends these messages, and acts after the result of each. */
async function steps(
  query: (prompt: unknown) => SdkQuery,
  texts: readonly string[],
  act: (query: SdkQuery, index: number) => Promise<void>,
): Promise<readonly SdkMessage[]> {
  const { prompt, go } = promptOf(texts, (index) => ({ uuid: `0000000${index}-0000-4000-8000-000000000000` }))
  const running = query(prompt)
  let index = 0
  const { messages, error } = await readAll(running, async ({ type }) => {
    if (type !== 'result') return
    await act(running, index)
    index += 1
    go()
  })
  expect(error).toBeUndefined()
  return messages
}

describe('the methods of a query', () => {
  it('say what there is', async (context) => {
    const { ask, put, server } = await open(context)
    await put('home/skills/greet/SKILL.md', skillFile('greet', 'Wave.'))
    server.reply(say('One.'))
    const agents = { poet: { description: 'Writes verse', prompt: 'Rhyme.' } }
    const seen: unknown[] = []
    await steps(
      (prompt) => ask(prompt, { agents, title: 'Verse' }),
      ['first'],
      async (query) => {
        seen.push((await query.supportedAgents()).find(({ name }) => name === 'poet'))
        seen.push(await query.accountInfo())
        seen.push(await query.reinitialize())
        seen.push(Array.isArray((await query.reloadSkills()).skills))
        seen.push(await query.readFile('a.txt'))
      },
    )
    expect(seen).toMatchObject([
      { name: 'poet', description: 'Writes verse' },
      {},
      { hooks_applied: true, models: [{ value: 'fake/model-1' }] },
      true,
      null,
    ])
  })

  it('send more messages, and end all of it', async (context) => {
    const { ask, server } = await open(context)
    server.reply(say('One.'), say('Two.'), { sse: '', ending: 'hang' })
    const results: unknown[] = []
    const { prompt, go } = promptOf(['first'])
    const query = ask(prompt)
    const { prompt: more, go: goOn } = promptOf(['second', 'third'])
    const { error } = await readAll(query, async ({ type, result }) => {
      if (type !== 'result') return
      results.push(result)
      if (results.length === 1) void query.streamInput(more)
      else {
        goOn()
        await expect.poll(() => server.requests.length).toBe(3)
        query.close()
        go()
      }
    })
    expect([error, results]).toEqual([undefined, ['One.', 'Two.']])
  })

  it('size the context window', async (context) => {
    const { ask, server } = await open(context)
    server.reply(say('One.'))
    const seen: unknown[] = []
    await steps(ask, ['first'], async (query) => void seen.push(await query.getContextUsage()))
    expect(seen).toMatchObject([
      {
        model: 'fake/model-1',
        categories: expect.arrayContaining([expect.objectContaining({ id: 'system_tools', kind: 'used' })]),
        apiUsage: { output_tokens: expect.any(Number) },
      },
    ])
  })

  it('restore files to before a message', async (context) => {
    const { ask, put, server, cwd } = await open(context)
    await put('a.txt', 'old\n')
    const read = use(['read', { path: 'a.txt' }])
    server.reply(read, use(['write', { path: 'a.txt', content: 'new\n' }]), say('Done.'))
    const seen: unknown[] = []
    const messages = await steps(
      (prompt) =>
        ask(prompt, {
          enableFileCheckpointing: true,
          permissionMode: 'acceptEdits',
          extraArgs: { 'replay-user-messages': null },
        }),
      ['write it'],
      async (query) => {
        const id = '00000000-0000-4000-8000-000000000000'
        seen.push(await query.rewindFiles(id, { dryRun: true }), await readFile(join(cwd, 'a.txt'), 'utf8'))
        seen.push(await query.rewindFiles(id), await readFile(join(cwd, 'a.txt'), 'utf8'))
        seen.push(await query.rewindFiles('11111111-0000-4000-8000-000000000000'))
      },
    )
    expect(messages.find(({ type }) => type === 'user')).toMatchObject({
      uuid: '00000000-0000-4000-8000-000000000000',
    })
    const changed = { canRewind: true, filesChanged: [join(cwd, 'a.txt')], insertions: 1, deletions: 1 }
    expect(seen).toMatchObject([changed, 'new\n', changed, 'old\n', { canRewind: false }])
  })

  it('change settings, or are an error that says why not', async (context) => {
    const { ask, server } = await open(context)
    server.reply(say('One.'), say('Two.'))
    const refused: string[] = []
    const messages = await steps(ask, ['first', 'second'], async (query, index) => {
      if (index > 0) return
      await query.applyFlagSettings({ model: 'fake/model-2', effortLevel: 'low' })
      const tries = [
        () => query.applyFlagSettings({ hooks: {} }),
        () => query.stopTask('nobody'),
        () => query.toggleMcpServer('none', false),
      ]
      for (const attempt of tries)
        refused.push(
          await attempt().then(
            () => 'done',
            (error: Error) => error.message,
          ),
        )
    })
    expect(messages.filter(({ subtype }) => subtype === 'init')).toMatchObject([
      { model: 'fake/model-1' },
      { model: 'fake/model-2' },
    ])
    expect(refused).toEqual([
      expect.stringContaining('cannot be changed while the conversation runs: hooks'),
      expect.stringContaining('no agent "nobody" is running'),
      expect.stringContaining('there is no MCP server "none" here'),
    ])
  })

  it.for([
    ['usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET'],
    ['reloadPlugins'],
    ['reloadOutputStyles'],
    ['backgroundTasks'],
    ['seedReadState', 'a.txt', 0],
    ['updateSettings', 'userSettings', {}],
    ['setMcpPermissionModeOverride', 'none', 'default'],
    ['readMcpResource', 'none', 'ui://x'],
  ] as const)('answer %s with an error', async ([method, ...args], context) => {
    const { ask, server } = await open(context)
    server.reply(say('One.'))
    const errors: unknown[] = []
    await steps(ask, ['first'], async (query) => {
      const call = (query as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>)[method]
      const error = call?.apply(query, args).then(
        () => 'done',
        (thrown: Error) => thrown.message,
      )
      errors.push(await error)
    })
    expect(errors).toEqual([expect.stringContaining('pipe has no control request')])
  })
})

describe('the options of a query', () => {
  it('load plugins, by flags and by the first line', async (context) => {
    const { ask, put, server, cwd } = await open(context)
    for (const [path, content] of Object.entries(demo)) await put(`demo/${path}`, content)
    const plugins = [{ type: 'local', path: join(cwd, 'demo') }]
    for (const pluginDelivery of ['argv', 'initialize']) {
      server.reply(say('Done.'))
      const { messages, error } = await readAll(ask('/demo:git:commit all', { plugins, pluginDelivery }))
      expect(error).toBeUndefined()
      expect(messages[0]).toMatchObject({ plugins: [{ name: 'demo' }] })
      expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('Commit all')
    }
  })

  it('bring servers by the first line, and leave prompts as they are', async (context) => {
    const { ask, put, server } = await open(context)
    await put('a.txt', 'the secret')
    server.reply(say('Done.'))
    const { messages, error } = await readAll(
      ask('look at @a.txt', {
        verbatimPrompts: true,
        mcpServers: { idle: { command: 'true' } },
        mcpServersDelivery: 'initialize',
      }),
    )
    expect([error, messages[0]]).toMatchObject([undefined, { mcp_servers: [{ name: 'idle' }] }])
    expect(JSON.stringify(server.requests[0]?.body)).not.toContain('the secret')
  })

  it('deny what would be asked with permissionPrompts: none', async (context) => {
    const { ask, server } = await open(context)
    server.reply(use(['bash', { command: 'touch a' }]), say('No.'))
    const asked: unknown[] = []
    const canUseTool = async (name: string) => {
      asked.push(name)
      return { behavior: 'allow' }
    }
    const { messages } = await readAll(ask('go', { canUseTool, permissionPrompts: 'none' }))
    expect([asked, messages.at(-1)]).toMatchObject([[], { permission_denials: [{ tool_name: 'Bash' }] }])
  })

  it.for([
    { skills: ['greet'] },
    { sandbox: { enabled: false } },
    { settingSources: [] },
    { debug: true },
    { thinking: { type: 'enabled' } },
    { thinking: { type: 'adaptive', display: 'summarized' } },
    { thinking: { type: 'disabled' } },
    { betas: ['context-1m-2025-08-07'] },
    { effort: 'max' },
    { persistSession: false },
    { includeHookEvents: true },
    { promptSuggestions: true, agentProgressSummaries: true, forwardSubagentText: true },
    { additionalDirectories: ['/usr', '/etc'] },
    { tools: [] },
    { tools: { type: 'preset', preset: 'claude_code' } },
    { maxBudgetUsd: 5, fallbackModel: 'fake/model-2', strictMcpConfig: true },
    {
      systemPrompt: {
        type: 'preset',
        preset: 'claude_code',
        append: 'Be kind.',
        excludeDynamicSections: true,
      },
    },
    { permissionMode: 'bypassPermissions', allowDangerouslySkipPermissions: true },
    { settings: { permissions: { deny: ['WebFetch'] } } },
    { sessionId: '00000000-0000-4000-8000-00000000000a' },
  ])('are taken: %j', async (options, context) => {
    const { ask, server } = await open(context)
    server.reply(say('Done.'))
    const { messages, error } = await readAll(ask('go', options))
    expect([error, messages.at(-1)]).toMatchObject([undefined, { subtype: 'success', result: 'Done.' }])
  })

  it.for([
    ['taskBudget', { total: 1_000 }, '--task-budget'],
    ['toolAliases', { Bash: 'mcp__far__bash' }, 'toolAliases'],
    ['managedSettings', { permissions: { deny: ['Bash'] } }, '--managed-settings'],
    ['projectConfigRoot', '/', '--project-config-root'],
    ['resumeDropsTurn', '00000000-0000-4000-8000-000000000000', '--resume-drops-turn'],
    ['sessionStore', { append: async () => undefined, load: async () => null }, '--session-mirror'],
  ] as const)(
    'are an error where their promise cannot be kept: %s',
    async ([option, value, word], context) => {
      const { ask, server } = await open(context)
      const { error } = await readAll(ask('go', { [option]: value }))
      expect(error).toContain(word)
      expect(server.requests).toEqual([])
    },
  )
})
