import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createBuiltinExecutor } from '../../src/builtin/builtin-executor.ts'
import type { BuiltinOptions } from '../../src/builtin/workspace.ts'
import { systemClock } from '../../src/cli/system-clock.ts'
import { createDiskStore } from '../../src/files/writing/disk-store.ts'
import { createTransport } from '../../src/http/transport.ts'
import type { JsonValue } from '../../src/json-value.ts'
import type { ProcessTable } from '../../src/machine/running-command.ts'
import { textContent } from '../../src/message.ts'
import { createCommandRunner } from '../../src/process/command-runner.ts'
import { createProcessTable } from '../../src/process/process-table.ts'
import type { ToolExecutor, ToolOutput } from '../../src/tool.ts'
import { drainRun, toolContext } from '../support/conversations/tool-run.ts'
import { countingIds } from '../support/messages/ids.ts'

export interface CallResult {
  readonly isError: boolean
  readonly text: string
  readonly details?: JsonValue
  readonly outputs: readonly ToolOutput[]
}

/** The built-in tools over a temporary folder. */
export interface Toolbox {
  readonly cwd: string
  readonly spillDir: string
  readonly executor: ToolExecutor
  readonly processes: ProcessTable
  call(name: string, args: JsonValue, signal?: AbortSignal): Promise<CallResult>
  /** Writes a file and its folders. */
  put(path: string, content: string | Uint8Array): Promise<string>
  get(path: string): Promise<string>
  close(): Promise<void>
}

export const path = '/usr/local/bin:/usr/bin:/bin'

export async function createToolbox(
  env: Readonly<Record<string, string>> = { PATH: path },
  more: Partial<BuiltinOptions> = {},
): Promise<Toolbox> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'pipe-builtin-')))
  const cwd = join(root, 'work')
  const spillDir = join(root, 'spill')
  await mkdir(cwd)
  const commands = createCommandRunner({ clock: systemClock, pipesDir: join(root, 'pipes') })
  const processes = createProcessTable()
  const transport = createTransport()
  const executor = createBuiltinExecutor({
    artifacts: createDiskStore(),
    commands,
    processes,
    clock: systemClock,
    cwd,
    home: join(root, 'home'),
    env: () => env,
    spillDir,
    transport,
    userAgent: 'pipe/0.0.0',
    interactive: true,
    newId: countingIds(),
    ...more,
  })
  return {
    cwd,
    spillDir,
    executor,
    processes,
    async call(name, args, signal) {
      const { outputs, result } = await drainRun(executor.execute(name, args, toolContext(signal)))
      const { isError, details } = result
      return { isError, text: textContent(result), outputs, ...(details === undefined ? {} : { details }) }
    },
    async put(name, content) {
      const file = join(cwd, name)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, content)
      return file
    },
    get: (name) => readFile(join(cwd, name), 'utf8'),
    async close() {
      await processes.close()
      await commands.close()
      transport.close()
      await rm(root, { recursive: true, force: true })
    },
  }
}
