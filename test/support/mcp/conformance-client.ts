import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemIds } from '../../../src/cli/host.ts'
import { systemClock } from '../../../src/cli/system-clock.ts'
import { createTransport } from '../../../src/http/transport.ts'
import type { Interaction, InteractionResponse } from '../../../src/interaction.ts'
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  textField,
} from '../../../src/json-value.ts'
import { ManagedServer } from '../../../src/mcp/managed-server.ts'
import { attachResource } from '../../../src/mcp/material/attached-resource.ts'
import { attachPrompt } from '../../../src/mcp/material/called-prompt.ts'
import { ServerPool } from '../../../src/mcp/server-pool.ts'
import { createServerTools } from '../../../src/mcp/server-tools.ts'
import { createCommandRunner } from '../../../src/process/command-runner.ts'
import type { ToolExecutor } from '../../../src/tool.ts'
import { toolContext } from '../conversations/tool-run.ts'

// The client of the official conformance suite: uses all that a server offers, over pipe's own rooms. `scripts/mcp-conformance.js` runs it.

const { MCP_CONFORMANCE_CONTEXT = '{}', MCP_CONFORMANCE_PROTOCOL_VERSION: version = '' } = process.env
const url = process.argv.at(-1) ?? ''

/** Answers a question with what it presets, and agrees to send it. */
function answer(interaction: Interaction): InteractionResponse {
  const common = { interactionId: interaction.id, answeredBy: 'suite' }
  if (interaction.parts !== undefined) return { ...common, parts: interaction.parts.map(answer) }
  if (interaction.kind === 'input') return { ...common, inputValue: '' }
  const { options = [] } = interaction
  const isDecision = interaction.display.title === 'Send these answers?'
  const chosen = options.find(({ isDefault, id }) => (isDecision ? id === 'yes' : isDefault === true))
  return { ...common, selectedOptionId: (chosen ?? options[0])?.id ?? '' }
}

/** Makes up arguments that fit a schema. */
function argumentsFor(schema: JsonValue): JsonObject {
  const properties = isJsonObject(schema) && isJsonObject(schema['properties']) ? schema['properties'] : {}
  const madeUp = (one: JsonValue): JsonValue => {
    const type = textField(one, 'type')
    if (type === 'number' || type === 'integer') return 2
    if (type === 'boolean') return true
    return type === 'object' ? {} : 'x'
  }
  return Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, madeUp(one)]))
}

async function call(tools: ToolExecutor, name: string, args: JsonObject): Promise<void> {
  const run = tools.execute(name, args, toolContext())
  for (let next = await run.next(); ; ) {
    if (next.done === true) {
      const [block] = next.value.content
      process.stdout.write(`${name}: ${block?.type === 'text' ? block.text.slice(0, 300) : ''}\n`)
      return
    }
    next = await run.next(next.value.type === 'interaction' ? answer(next.value.interaction) : undefined)
  }
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'pipe-conformance-'))
  const commands = createCommandRunner({ clock: systemClock })
  const transport = createTransport()
  const isModern = version >= '2026-07-28'
  const platform = { commands, transport, clock: systemClock, env: {}, folder, version: '0' }
  const server = { name: 'suite', access: { type: 'http' as const, url, headers: {} } }
  const remembered = { era: isModern ? ('modern' as const) : ('legacy' as const), tools: {} }
  const managed = new ManagedServer(
    { server, hash: '' },
    { ...platform, isAttended: true, clean: (text) => text },
    { recall: () => remembered, keep: () => Promise.resolve() },
  )
  const pool = new ServerPool([managed])
  try {
    await use(pool)
  } finally {
    await pool.close()
    transport.close()
    await commands.close()
    await rm(folder, { recursive: true })
  }
}

async function use(pool: ServerPool): Promise<void> {
  const tools = createServerTools({ pool, spill: () => Promise.resolve(''), newId: systemIds() })
  const { signal } = new AbortController()
  const context = parseJson(MCP_CONFORMANCE_CONTEXT)
  const wanted =
    isJsonObject(context) && Array.isArray(context['toolCalls']) ? context['toolCalls'] : undefined
  const { tools: listed, failures } = await pool.tools(undefined, signal)
  for (const failure of failures) process.stderr.write(`${failure}\n`)
  for (const { name } of listed) await call(tools, 'find_tools', { query: name })
  const calls =
    wanted ?? listed.map(({ tool }) => ({ name: tool.name, arguments: argumentsFor(tool.schema) }))
  await Promise.all(
    calls.map(async (one) => {
      const found = listed.find(({ tool }) => tool.name === textField(one, 'name'))
      const args = isJsonObject(one) && isJsonObject(one['arguments']) ? one['arguments'] : {}
      if (found !== undefined) await call(tools, found.name, args)
    }),
  )
  await readAll(pool, signal)
}

/** Reads the first resource, and gets the first prompt. */
async function readAll(pool: ServerPool, signal: AbortSignal): Promise<void> {
  const options = { signal, spill: () => Promise.resolve(''), newMark: () => 'mark' }
  for (const server of pool.servers.values()) {
    const [resource] = (await server.resources(signal)).resources
    if (resource !== undefined) await attachResource(server, resource.uri, options)
    await server.prompts(signal)
  }
  const [prompt] = pool.knownPrompts()
  if (prompt !== undefined) await attachPrompt({ ...prompt, command: prompt.name, words: 'a b c' }, options)
}

await main()
