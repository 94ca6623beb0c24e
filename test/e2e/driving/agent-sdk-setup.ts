import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { root, type World } from '../../support/programs/world.ts'

/** The SDK that programs for Claude Code use. Its licence forbids to carry it along, so a test installs it. */
const version = '0.3.332'

/** A message of the SDK. */
export interface SdkMessage {
  readonly type: string
  readonly subtype?: string
  readonly [field: string]: unknown
}

export interface SdkQuery extends AsyncIterable<SdkMessage> {
  interrupt(): Promise<unknown>
  setModel(model?: string): Promise<void>
  setPermissionMode(mode: string): Promise<void>
  setMaxThinkingTokens(tokens: number | null): Promise<void>
  supportedCommands(): Promise<readonly { readonly name: string }[]>
  supportedModels(): Promise<readonly { readonly value: string }[]>
  mcpServerStatus(): Promise<readonly object[]>
}

/** Names the parts of the SDK that the tests use. */
export interface AgentSdk {
  query(given: { readonly prompt: unknown; readonly options: Readonly<Record<string, unknown>> }): SdkQuery
  close(): Promise<void>
}

/** Installs the SDK in a temporary folder. `undefined` if the registry cannot be reached. */
export async function installSdk(): Promise<AgentSdk | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'pipe-agent-sdk-'))
  const close = () => rm(folder, { recursive: true, force: true })
  await writeFile(join(folder, 'package.json'), '{"private": true}')
  const flags = ['--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund']
  try {
    await promisify(execFile)('npm', ['install', ...flags, `@anthropic-ai/claude-agent-sdk@${version}`], {
      cwd: folder,
      timeout: 150_000,
    })
  } catch {
    await close()
    return undefined
  }
  const entry = join(folder, 'node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs')
  const sdk = (await import(pathToFileURL(entry).href)) as Pick<AgentSdk, 'query'>
  return { query: (given) => sdk.query(given), close }
}

/** The options with which the SDK runs pipe in a world. */
export function inWorld({ cwd, env }: World): Readonly<Record<string, unknown>> {
  return { pathToClaudeCodeExecutable: join(root, 'bin/pipe.js'), cwd, env }
}

/** Reads all messages of a query. Returns the error that ends it, too. */
export async function readAll(
  query: SdkQuery,
  onMessage: (message: SdkMessage) => unknown = () => undefined,
): Promise<{ readonly messages: readonly SdkMessage[]; readonly error?: string }> {
  const messages: SdkMessage[] = []
  try {
    for await (const message of query) {
      messages.push(message)
      await onMessage(message)
    }
    return { messages }
  } catch (error) {
    return { messages, error: error instanceof Error ? error.message : String(error) }
  }
}
