import { join } from 'node:path'
import type { Directories } from '../../../config/directories.ts'
import { readPrivateFile, writePrivateFile } from '../../../config/private-file.ts'
import { failureOf } from '../../../error.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json-value.ts'
import { readListedPrompt } from '../../../mcp/lists/listed-prompt.ts'
import type { RememberedServer, ServerMemory } from '../../../mcp/server-memory.ts'
import { printable } from '../../../terminal/printable.ts'
import { lockHolder, type Machine } from '../../machine.ts'

/** Most servers that are remembered, the newest last. */
const most = 200

/** Opens what is remembered of servers, a file of the user's. A run goes on without it, and says so. */
export async function openServerMemory(
  { config }: Pick<Directories, 'config'>,
  machine: Machine,
  signal: AbortSignal,
): Promise<ServerMemory> {
  const path = join(config, 'mcp-tools.json')
  const known = new Map<string, RememberedServer>()
  const read = async () => readServers((await readPrivateFile(path)).fields)
  const failure = await failureOf(
    read().then((servers) => {
      for (const [hash, server] of servers) known.set(hash, server)
    }),
  )
  if (failure !== undefined) machine.warn(failure.message)
  // Servers that start side by side would all wait for the lock of the file, and each would listen to the signal.
  let saving: Promise<unknown> = Promise.resolve()
  return {
    recall: (hash) => known.get(hash),
    async keep(hash, server) {
      known.set(hash, server)
      const compose = async (): Promise<JsonObject> => {
        const servers = await read()
        servers.delete(hash)
        const now = known.get(hash) ?? server
        const kept = [...servers, [hash, now] as const].slice(-most)
        return { servers: Object.fromEntries(kept.map(([one, each]) => [one, writeRemembered(each)])) }
      }
      const write = () => writePrivateFile(path, compose, lockHolder(machine, signal))
      const saved = saving.then(() => failureOf(write()))
      saving = saved
      const lost = await saved
      if (lost !== undefined) machine.warn(`the tools of MCP servers could not be saved: ${lost.message}`)
    },
  }
}

function readServers(fields: JsonObject | undefined): Map<string, RememberedServer> {
  const servers = fields?.['servers']
  if (!isJsonObject(servers)) return new Map()
  return new Map(
    Object.entries(servers).flatMap(([hash, value]) => {
      const server = readRemembered(value)
      return server === undefined ? [] : [[hash, server]]
    }),
  )
}

function readRemembered(value: JsonValue): RememberedServer | undefined {
  if (!isJsonObject(value)) return undefined
  const { era, tools } = value
  if ((era !== 'legacy' && era !== 'modern') || !isJsonObject(tools)) return undefined
  const texts = Object.entries(tools).flatMap(([name, hash]) =>
    typeof hash === 'string' ? [[name, hash] as const] : [],
  )
  const prompts = Array.isArray(value['prompts']) ? value['prompts'] : []
  const read = prompts.flatMap((one) => readListedPrompt(one, clean))
  return { era, tools: Object.fromEntries(texts), ...(read.length > 0 && { prompts: read }) }
}

/** Writes prompts as servers list them. */
function writeRemembered({ era, tools, prompts = [] }: RememberedServer): JsonObject {
  const listed = prompts.map(({ name, description, args }) => ({
    name,
    description,
    arguments: args.map((one) => ({ name: one.name, required: one.isRequired })),
  }))
  return { era, tools, ...(listed.length > 0 && { prompts: listed }) }
}

const clean = (text: string): string => printable(text)
