import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { withoutTags } from '../../../src/characters/tag-characters.ts'
import { systemIds } from '../../../src/cli/host.ts'
import { systemClock } from '../../../src/cli/system-clock.ts'
import type { Clock } from '../../../src/clock.ts'
import { createTransport } from '../../../src/http/transport.ts'
import type { JsonObject } from '../../../src/json-value.ts'
import type { ToolServer } from '../../../src/machine/tool-server.ts'
import type { SignInStore } from '../../../src/mcp/auth/sign-in.ts'
import { ManagedServer } from '../../../src/mcp/managed-server.ts'
import type { AttachOptions } from '../../../src/mcp/material/attached-resource.ts'
import type { RememberedServer } from '../../../src/mcp/server-memory.ts'
import { ServerPool } from '../../../src/mcp/server-pool.ts'
import { createServerTools } from '../../../src/mcp/server-tools.ts'
import { createCommandRunner } from '../../../src/process/command-runner.ts'
import { printable } from '../../../src/terminal/printable.ts'
import type { ToolContext, ToolExecutor, ToolRun } from '../../../src/tool.ts'
import { drainRun, toolContext } from '../conversations/tool-run.ts'
import { folderWith } from '../folders/folder.ts'

const script = (name: string) => fileURLToPath(new URL(`./${name}`, import.meta.url))

/** A server that runs `odd-server.js` with these arguments. */
export function oddServer(oddity: string, detail = '', more: Partial<ToolServer> = {}): ToolServer {
  return nodeServer('odd', [script('odd-server.js'), oddity, detail], more)
}

/** A server that runs `content-server.js`, with resources and prompts. */
export function contentServer(oddity = 'none', more: Partial<ToolServer> = {}): ToolServer {
  return nodeServer('notes', [script('content-server.js'), oddity], more)
}

/** A server made with the official package; `modern` refuses the older protocol. */
export function realServer(
  era: 'both' | 'modern' = 'both',
  env: Readonly<Record<string, string>> = {},
): ToolServer {
  const args = [script('real-server.js'), era]
  return nodeServer('real', args, { access: { type: 'stdio', command: process.execPath, args, env } })
}

function nodeServer(name: string, args: readonly string[], more: Partial<ToolServer> = {}): ToolServer {
  return {
    name,
    access: { type: 'stdio', command: process.execPath, args, env: {} },
    ...more,
  }
}

/** Remembers servers in a map that several pools may share. */
function memoryOf(known: Map<string, RememberedServer> = new Map()) {
  return {
    recall: (hash: string) => known.get(hash),
    keep: async (hash: string, server: RememberedServer) => void known.set(hash, server),
  }
}

export interface OpenedPool {
  readonly pool: ServerPool
  readonly tools: ToolExecutor
  /** Makes messages. */
  readonly attaching: AttachOptions
  /** Starts a tool, whose questions the caller answers. */
  call(name: string, args?: JsonObject): ToolRun
  /** Runs a tool. Returns the text of its result, with `error: ` before a failure. */
  run(name: string, args?: Record<string, unknown>, context?: Partial<ToolContext>): Promise<string>
}

/** Opens servers on this machine, closed after the test. */
export async function openServers(
  servers: readonly ToolServer[],
  {
    known,
    env = { PATH: process.env['PATH'] ?? '', HOME: '/nowhere' },
    isAttended = true,
    clock = systemClock,
    signIns,
  }: {
    readonly known?: Map<string, RememberedServer>
    readonly env?: Readonly<Record<string, string>>
    readonly isAttended?: boolean
    readonly clock?: Clock
    readonly signIns?: SignInStore
  } = {},
): Promise<OpenedPool> {
  const folder = await folderWith()
  const commands = createCommandRunner({ clock: systemClock })
  const transport = createTransport()
  const platform = {
    commands,
    transport,
    clock,
    env,
    folder,
    version: '0',
    isAttended,
    clean: (text: string) => printable(withoutTags(text)),
    ...(signIns !== undefined && { signIns }),
  }
  const memory = memoryOf(known)
  const pool = new ServerPool(
    servers.map((server) => new ManagedServer({ server, hash: server.name }, platform, memory)),
  )
  onTestFinished(async () => {
    await pool.close()
    transport.close()
    await commands.close()
  })
  const spill = async (text: string) => {
    await writeFile(join(folder, 'spill'), text)
    return join(folder, 'spill')
  }
  const tools = createServerTools({ pool, spill, newId: systemIds() })
  return {
    pool,
    tools,
    attaching: { spill, newMark: () => 'MARK', signal: new AbortController().signal },
    call: (name, args = {}) => tools.execute(name, args, toolContext()),
    async run(name, args = {}, context = {}) {
      const json = JSON.parse(JSON.stringify(args))
      const { result } = await drainRun(tools.execute(name, json, { ...toolContext(), ...context }))
      const text = result.content
        .map((block) => (block.type === 'text' ? block.text : `<${block.type}>`))
        .join('\n')
      return result.isError ? `error: ${text}` : text
    },
  }
}

export function readText(path: string): Promise<string> {
  return readFile(path, 'utf8')
}
