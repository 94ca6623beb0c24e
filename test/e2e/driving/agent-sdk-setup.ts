import { pathToFileURL } from 'node:url'
import { beforeAll, type TestContext } from 'vitest'
import { installPackages } from '../../support/programs/installed.ts'
import { openWorld, program, type World } from '../../support/programs/world.ts'

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
  supportedAgents(): Promise<readonly { readonly name: string }[]>
  mcpServerStatus(): Promise<readonly object[]>
  reconnectMcpServer(name: string): Promise<void>
  toggleMcpServer(name: string, enabled: boolean): Promise<void>
  setMcpServers(servers: Readonly<Record<string, unknown>>): Promise<object>
  accountInfo(): Promise<object>
  getContextUsage(): Promise<object>
  applyFlagSettings(settings: object): Promise<void>
  reinitialize(): Promise<object>
  rewindFiles(message: string, options?: { readonly dryRun?: boolean }): Promise<object>
  reloadSkills(): Promise<{ readonly skills: readonly object[] }>
  stopTask(task: string): Promise<void>
  readFile(path: string): Promise<object | null>
  streamInput(messages: AsyncIterable<unknown>): Promise<void>
  close(): void
}

/** A tool that the driving program defines. */
export type SdkTool = object

/** Names the parts of the SDK that the tests use. */
export interface AgentSdk {
  query(given: { readonly prompt: unknown; readonly options: Readonly<Record<string, unknown>> }): SdkQuery
  tool(
    name: string,
    description: string,
    shape: Readonly<Record<string, unknown>>,
    run: (args: Readonly<Record<string, unknown>>) => Promise<unknown>,
  ): SdkTool
  createSdkMcpServer(given: { readonly name: string; readonly tools: readonly SdkTool[] }): object
}

/**
 * Installs the SDK before the tests of a file. Returns what opens a world with it, and with a way to ask. Skips a test if the registry
 * cannot be reached.
 */
export function withSdk() {
  let sdk: AgentSdk | undefined
  beforeAll(async () => {
    sdk = await installSdk()
  })
  return async ({ skip }: TestContext) => {
    const installed = sdk
    if (installed === undefined) return skip('the registry cannot be reached')
    const world = await openWorld()
    const ask = (prompt: unknown, options: Readonly<Record<string, unknown>> = {}) =>
      installed.query({ prompt, options: { ...inWorld(world), ...options } })
    return { ...world, ask, sdk: installed }
  }
}

async function installSdk(): Promise<AgentSdk | undefined> {
  const installed = await installPackages([`@anthropic-ai/claude-agent-sdk@${version}`], ['--omit=optional'])
  if (installed === undefined) return undefined
  return await import(pathToFileURL(installed.at('@anthropic-ai/claude-agent-sdk/sdk.mjs')).href)
}

/** The options with which the SDK runs pipe in a world. */
function inWorld({ cwd, env }: World): Readonly<Record<string, unknown>> {
  return { pathToClaudeCodeExecutable: program, cwd, env }
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
