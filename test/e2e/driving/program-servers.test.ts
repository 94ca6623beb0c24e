import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/json-value.ts'
import { lastText, say, use } from '../../support/models/replies.ts'
import { isAlive } from '../../support/programs/processes.ts'
import { openWorld } from '../../support/programs/world.ts'
import type { ChatBody } from '../../support/vendors/chat-rules.ts'
import { answer, type DrivenRun, drive, request, user } from './driving-setup.ts'

const find = use(['find_tools', { query: 'add numbers' }])
const add = use(['mcp__sums__add', { a: 2, b: 40 }])
const realServer = fileURLToPath(new URL('../../support/mcp/real-server.js', import.meta.url))
const rules = ['--allowed-tools=mcp__sums__add']

/** Starts a run whose program has a server `sums`, with these settings. */
async function open(settings: JsonObject = {}) {
  const world = await openWorld()
  const run = drive(world, rules)
  await run.send(
    request('i', 'initialize', { sdkMcpServers: ['sums'], sdkMcpServerConfigs: { sums: settings } }),
  )
  return { world, run }
}

interface Asked {
  readonly id: string
  readonly message: JsonObject
}

/** Lists the messages for servers of the program. */
function askedBy(run: DrivenRun): readonly Asked[] {
  return run.lines().flatMap((line) => {
    const {
      type,
      request_id: id,
      request: asked,
    } = line as unknown as {
      type: string
      request_id: string
      request: { subtype: string; message: JsonObject }
    }
    return type === 'control_request' && asked.subtype === 'mcp_message'
      ? [{ id, message: asked.message }]
      : []
  })
}

const results: Readonly<Record<string, JsonObject>> = {
  initialize: {
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'sums', version: '1' },
  },
  'tools/list': {
    tools: [{ name: 'add', description: 'Adds two numbers', inputSchema: { type: 'object' } }],
  },
}

/** Answers as a server until a tool is called. Returns that call. */
async function serveUntilCall(run: DrivenRun): Promise<Asked> {
  for (const method of ['initialize', 'tools/list']) {
    await run.until(new RegExp(`"method":"${method}"`))
    const { id = '', message = {} } = askedBy(run).find((one) => one.message['method'] === method) ?? {}
    const result = results[method] ?? {}
    await run.send(answer(id, { mcp_response: { jsonrpc: '2.0', id: message['id'] ?? 0, result } }))
  }
  await run.until(/"method":"tools\/call"/)
  const call = askedBy(run).find((one) => one.message['method'] === 'tools/call')
  if (call === undefined) throw new Error('no call')
  return call
}

const noRequest: ChatBody = { model: '', stream: true, messages: [] }

describe('servers of tools inside the program that drives pipe', () => {
  it('are asked by messages in its requests', async () => {
    const { world, run } = await open()
    world.server.reply(find, add, say('42.'))
    await run.send(user('2 + 40?'))
    const call = await serveUntilCall(run)
    expect(call.message).toMatchObject({ params: { name: 'add', arguments: { a: 2, b: 40 } } })
    const result = { content: [{ type: 'text', text: 'the sum is 42' }] }
    await run.send(answer(call.id, { mcp_response: { jsonrpc: '2.0', id: call.message['id'] ?? 0, result } }))
    await run.until(/"type":"result"/)
    expect(await run.end()).toEqual({ code: 0, stderr: '' })
    expect(lastText(world.server.requests[2]?.body ?? noRequest)).toContain('the sum is 42')
  })

  it('may say by themselves that their tools changed', async () => {
    const { world, run } = await open()
    world.server.reply(find, add, say('42.'), add, say('Again.'))
    await run.send(user('2 + 40?'))
    const call = await serveUntilCall(run)
    const changed = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }
    await run.send(request('m', 'mcp_message', { server_name: 'sums', message: changed }))
    await run.send(request('n', 'mcp_message', { server_name: 'others', message: changed }))
    await run.until(/"request_id":"n"/)
    const error = { code: -1, message: 'not today' }
    await run.send(answer(call.id, { mcp_response: { jsonrpc: '2.0', id: call.message['id'] ?? 0, error } }))
    await run.until(/"type":"result"/)
    expect(lastText(world.server.requests[2]?.body ?? noRequest)).toContain('not today')
    await run.send(user('again'))
    const lists = () => askedBy(run).filter(({ message }) => message['method'] === 'tools/list')
    await expect.poll(() => lists().length).toBe(2)
    expect(await run.end()).toMatchObject({ code: 0 })
    const answers = run.lines().filter(({ type }) => type === 'control_response')
    expect(answers.slice(-2)).toMatchObject([
      { response: { request_id: 'm', subtype: 'success' } },
      {
        response: {
          request_id: 'n',
          subtype: 'error',
          error: 'the program has no MCP server "others" in use',
        },
      },
    ])
  })

  it('that fall silent fail the call, which the program is told to drop', async () => {
    const { world, run } = await open({ timeout: 300 })
    world.server.reply(find, add, say('It is silent.'))
    await run.send(user('2 + 40?'))
    const call = await serveUntilCall(run)
    await run.until(/"type":"result"/)
    expect(await run.end()).toEqual({ code: 0, stderr: '' })
    expect(lastText(world.server.requests[2]?.body ?? noRequest)).toContain('it took longer than 0.3 s')
    expect(run.lines()).toContainEqual({ type: 'control_cancel_request', request_id: call.id })
    expect(askedBy(run).at(-1)?.message).toMatchObject({ method: 'notifications/cancelled' })
  })

  it('fail the call once the program is gone', async () => {
    const { world, run } = await open()
    world.server.reply(find, add, say('It is gone.'))
    await run.send(user('2 + 40?'))
    await serveUntilCall(run)
    expect(await run.end()).toEqual({ code: 0, stderr: '' })
    expect(lastText(world.server.requests[2]?.body ?? noRequest)).toContain(
      'the program that drives pipe no longer answers',
    )
  })

  it('are there for elves too', async () => {
    const { world, run } = await open()
    const elf = use(['elf', { prompt: 'add them', agent: 'general', isolation: 'none' }])
    world.server.reply(elf, find, add, say('42.'), say('The elf says 42.'))
    await run.send(user('2 + 40?'))
    const call = await serveUntilCall(run)
    const result = { content: [{ type: 'text', text: 'the sum is 42' }] }
    await run.send(answer(call.id, { mcp_response: { jsonrpc: '2.0', id: call.message['id'] ?? 0, result } }))
    await run.until(/"type":"result"/)
    expect(await run.end()).toEqual({ code: 0, stderr: '' })
    expect(lastText(world.server.requests[3]?.body ?? noRequest)).toContain('the sum is 42')
  })

  it('may answer for the user', async () => {
    const world = await openWorld()
    const run = drive(world, ['--permission-prompt-tool=mcp__sums__add'])
    await run.send(request('i', 'initialize', { sdkMcpServers: ['sums'] }))
    world.server.reply(use(['bash', { command: 'echo x > made' }]), say('Done.'))
    await run.send(user('go'))
    const call = await serveUntilCall(run)
    expect(call.message).toMatchObject({ params: { arguments: { tool_name: 'Bash' } } })
    const result = {
      content: [{ type: 'text', text: '{"behavior":"allow","updatedInput":{"command":"echo x > made"}}' }],
    }
    await run.send(answer(call.id, { mcp_response: { jsonrpc: '2.0', id: call.message['id'] ?? 0, result } }))
    await run.until(/"type":"result"/)
    expect(await run.end()).toEqual({ code: 0, stderr: '' })
    expect(existsSync(join(world.cwd, 'made'))).toBe(true)
  })

  it('hide servers of the same name in files', async () => {
    const world = await openWorld()
    const servers = JSON.stringify({
      mcpServers: { sums: { command: 'false' }, other: { command: 'false' } },
    })
    const run = drive(world, [...rules, '--mcp-config', servers])
    await run.send(request('i', 'initialize', { sdkMcpServers: ['sums'] }))
    world.server.reply(find, add, say('42.'))
    await run.send(user('2 + 40?'))
    const call = await serveUntilCall(run)
    await run.send(request('s', 'mcp_status'))
    await run.until(/"request_id":"s"/)
    const status = run.lines().find((line) => JSON.stringify(line).includes('"request_id":"s"'))
    expect(status).toMatchObject({
      response: { response: { mcpServers: [{ name: 'sums', status: 'connected' }, { name: 'other' }] } },
    })
    const result = { content: [{ type: 'text', text: '42' }] }
    await run.send(answer(call.id, { mcp_response: { jsonrpc: '2.0', id: call.message['id'] ?? 0, result } }))
    await run.until(/"type":"result"/)
    await run.end()
  })

  it('stand in the place of servers of files that the program names, which then end', async () => {
    const world = await openWorld()
    const [first, second] = ['first', 'second'].map((name) => join(world.cwd, `${name}.pid`))
    const served = (pid = '') => ({
      command: 'sh',
      args: ['-c', `echo $$ > ${pid}; exec ${process.execPath} ${realServer}`],
    })
    const run = drive(world, ['--mcp-config', JSON.stringify({ mcpServers: { sums: served(first) } })])
    await run.send(request('r', 'mcp_reconnect', { serverName: 'sums' }))
    await run.until(/"request_id":"r"/)
    await run.send(request('a', 'mcp_set_servers', { servers: { sums: served(second) } }))
    await run.send(request('b', 'mcp_set_servers', { servers: {} }))
    await run.until(/"request_id":"b"/)
    const answers = run.lines().filter(({ type }) => type === 'control_response')
    expect(answers).toMatchObject([
      { response: { request_id: 'r', subtype: 'success' } },
      { response: { response: { added: ['sums'], removed: [], errors: {} } } },
      { response: { response: { added: [], removed: ['sums'], errors: {} } } },
    ])
    for (const path of [first, second])
      expect(isAlive(Number(await readFile(path ?? '', 'utf8')))).toBe(false)
    expect(await run.end()).toEqual({ code: 0, stderr: '' })
  })
})
