import { Client, type ElicitResult } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { onTestFinished } from 'vitest'
import { isJsonObject } from '../../../src/json-value.ts'
import type { World } from '../programs/world.ts'

/** Both eras of the protocol: with `initialize`, and of 2026-07-28. */
export const eras = ['legacy', '2026-07-28'] as const

export interface ClientOptions {
  readonly era?: (typeof eras)[number]
  /** Answers questions. Default: the client cannot ask its user. */
  readonly answer?: (message: string, schema: unknown) => ElicitResult | Promise<ElicitResult>
  readonly name?: string
}

/** Makes a client with the official package, as other agents have it. */
export function makeClient({ era = 'legacy', answer, name = 'other-agent' }: ClientOptions = {}): Client {
  const client = new Client(
    { name, version: '1' },
    {
      capabilities: answer === undefined ? {} : { elicitation: { form: {} } },
      versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: era } },
    },
  )
  if (answer !== undefined) {
    client.setRequestHandler('elicitation/create', ({ params }) => {
      const schema = 'requestedSchema' in params ? params.requestedSchema : undefined
      return answer(params.message, schema)
    })
  }
  return client
}

/** Connects a client to `pipe mcp serve` over stdio, closed after the test. */
export async function connect(world: World, args: readonly string[] = [], options: ClientOptions = {}) {
  const transport = new StdioClientTransport({
    command: 'pipe',
    args: ['mcp', 'serve', ...args],
    env: { ...world.env },
    cwd: world.cwd,
    stderr: 'pipe',
  })
  let stderr = ''
  transport.stderr?.on('data', (chunk: Buffer) => {
    stderr += String(chunk)
  })
  const client = makeClient(options)
  await client.connect(transport)
  onTestFinished(() => client.close())
  return { client, transport, told: () => stderr }
}

/** The texts of a result, with `error: ` before a failure. */
export function textOf(result: unknown): string {
  if (!isJsonObject(result) || !Array.isArray(result['content'])) return JSON.stringify(result)
  const texts = result['content'].map((block) =>
    isJsonObject(block) && typeof block['text'] === 'string' ? block['text'] : JSON.stringify(block),
  )
  return `${result['isError'] === true ? 'error: ' : ''}${texts.join('\n')}`
}
