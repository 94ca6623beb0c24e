import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { WorkBundles } from '../../../event-store.ts'
import { isJsonObject, type JsonValue, parseJson } from '../../../json-value.ts'
import type { TaskFolders } from '../../../tasks/task-folder.ts'
import type { Machine } from '../../machine.ts'
import { sessionScratch } from '../scratch.ts'

/** Larger files, in bytes, stay on the machine of the command that wrote them. */
const largest = 16 * 1024 * 1024

/**
 * Keeps long output of commands, which conversations of tasks name by its file, until their tasks end: in the store too, if it keeps
 * output for other machines.
 */
export function keepingOutput(
  folders: TaskFolders,
  { machine, outputs }: { readonly machine: Machine; readonly outputs: WorkBundles | undefined },
): TaskFolders {
  return {
    open: async (task, options) => {
      const { taskId, sessionId, isFromElsewhere } = task
      const folder = await folders.open(task, options)
      const place = sessionScratch(sessionId, machine)
      const mayLack = isFromElsewhere || !existsSync(place)
      const kept = mayLack ? await outputs?.get(taskId, options) : undefined
      if (kept !== undefined) await unpack(kept, place)
      let saved = await describe(place)
      return {
        cwd: folder.cwd,
        save: async (saving) => {
          await folder.save(saving)
          const files = await describe(place)
          if (outputs === undefined || files === saved) return
          await outputs.put(taskId, await pack(place), saving)
          saved = files
        },
        remove: async () => {
          await folder.remove()
          await rm(place, { recursive: true, force: true })
        },
      }
    },
  }
}

async function namesIn(place: string): Promise<readonly string[]> {
  if (!existsSync(place)) return []
  const entries = await readdir(place, { withFileTypes: true })
  return entries.flatMap((entry) => (entry.isFile() ? [entry.name] : [])).sort()
}

/** Names the files with their sizes: output is only ever added to. */
async function describe(place: string): Promise<string> {
  const names = await namesIn(place)
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(place, name))).size))
  return names.map((name, i) => `${name} ${sizes[i]}`).join('\n')
}

/** Packs files as lines of JSON, each with a name and its bytes. */
async function pack(place: string): Promise<Uint8Array> {
  const lines: string[] = []
  for (const name of await namesIn(place)) {
    const path = join(place, name)
    if ((await stat(path)).size > largest) continue
    lines.push(JSON.stringify({ name, data: (await readFile(path)).toString('base64') }))
  }
  return Buffer.from(lines.join('\n'))
}

async function unpack(packed: Uint8Array, place: string): Promise<void> {
  await mkdir(place, { recursive: true, mode: 0o700 })
  for (const line of Buffer.from(packed).toString('utf8').split('\n')) {
    const file = readFileLine(parseJson(line))
    if (file !== undefined) await writeFile(join(place, file.name), file.bytes, { mode: 0o600 })
  }
}

/** Reads a packed file. The name of one that would leave its folder is refused. */
function readFileLine(
  value: JsonValue | undefined,
): { readonly name: string; readonly bytes: Buffer } | undefined {
  if (!isJsonObject(value)) return undefined
  const { name, data } = value
  if (typeof name !== 'string' || typeof data !== 'string') return undefined
  if (name !== basename(name) || name === '' || name === '.' || name === '..') return undefined
  return { name, bytes: Buffer.from(data, 'base64') }
}
