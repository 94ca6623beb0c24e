import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { expect, onTestFinished, vi } from 'vitest'
import { type FakeServer, startFakeServer } from '../models/fake-server.ts'
import { readSessionFile, type SessionFile } from '../sessions/session-file.ts'
import { killGroup, type Run, type Running, type Start, start } from './program.ts'

export const root = join(import.meta.dirname, '../../..')

const oneFile = process.env['PIPE_BIN']

/** Whether the tests run the one-file build that `PIPE_BIN` names, instead of the package. */
export const isOneFile = oneFile !== undefined

/** The executable that the tests run. */
export const program = oneFile === undefined ? join(root, 'bin/pipe.js') : resolve(oneFile)

/** Starts it without the shell lines at its head. */
export const programWords: readonly [string, ...string[]] =
  oneFile === undefined ? [process.execPath, program] : [program]

/** Sets, at the head of a line of shell, the variable that loads a module before the program. */
export function preloading(module: string): string {
  return isOneFile ? `BUN_OPTIONS='--preload ${module}'` : `NODE_OPTIONS='--require ${module}'`
}

type Options = Partial<Start>

/** An isolated environment for one test: a home, a project folder, a model server, and the built program on the PATH. */
export interface World {
  readonly server: FakeServer
  /** The project. A real path. */
  readonly cwd: string
  /** The folder in PIPE_HOME. */
  readonly home: string
  /** The folder for temporary files. */
  readonly temp: string
  readonly env: Readonly<Record<string, string>>
  /** Runs the program to its end. */
  pipe(args: readonly string[], options?: Options): Promise<Run>
  start(args: readonly string[], options?: Options): Running
  /** Runs a line of bash in which `pipe` is the program. */
  shell(line: string, options?: Options): Promise<Run>
  /** Writes a file of the project. */
  put(path: string, content: string | Uint8Array): Promise<void>
  /** Writes config.json. */
  configure(settings: object | string): Promise<void>
  /** Returns the session files, oldest first. */
  sessions(): Promise<readonly SessionFile[]>
}

/** Opens a world and removes it after the test, its processes first. The server's violations fail the test. */
export async function openWorld(): Promise<World> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'pipe-e2e-')))
  const within = (name: string) => join(folder, name)
  const [home, cwd, bin, temp] = [within('home'), within('project'), within('bin'), within('temp')]
  for (const path of [home, cwd, bin, temp]) await mkdir(path)
  await symlink(program, join(bin, 'pipe'))
  const server = await startFakeServer()
  const pids: number[] = []
  onTestFinished(async () => {
    pids.forEach(killGroup)
    await server.close()
    // A program that lost its terminal may still be saving.
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    expect(server.violations).toEqual([])
  })
  const path = [bin, dirname(process.execPath), process.env['PATH']].join(':')
  const env = { PATH: path, HOME: folder, PIPE_HOME: home, TMPDIR: temp }
  const begin = (file: string, args: readonly string[], options: Options) => {
    const running = start(file, args, { cwd, ...options, env: { ...env, ...options.env } })
    pids.push(running.pid)
    return running
  }
  const world: World = {
    server,
    cwd,
    home,
    temp,
    env,
    start: (args, options = {}) => begin(join(bin, 'pipe'), args, options),
    pipe: (args, options = {}) => begin(join(bin, 'pipe'), args, options).ended,
    shell: (line, options = {}) => begin('bash', ['-c', line], options).ended,
    put: async (name, content) => {
      await mkdir(dirname(join(cwd, name)), { recursive: true })
      await writeFile(join(cwd, name), content)
    },
    configure: (settings) =>
      writeFile(
        join(home, 'config.json'),
        typeof settings === 'string' ? settings : JSON.stringify(settings),
      ),
    sessions: () => readSessions(join(home, 'sessions')),
  }
  await world.configure({
    model: 'fake/model-1',
    providers: { fake: { dialect: 'openai-chat', base_url: server.baseUrl } },
  })
  return world
}

async function readSessions(folder: string): Promise<readonly SessionFile[]> {
  const names = existsSync(folder) ? await readdir(folder) : []
  const files = names.filter((name) => name.endsWith('.json')).sort()
  return Promise.all(files.map((name) => readWhole(join(folder, name))))
}

/** Reads a session. Its end can be torn while a program adds to it. */
function readWhole(path: string): Promise<SessionFile> {
  return vi.waitFor(async () => readSessionFile(await readFile(path, 'utf8')), {
    timeout: 10_000,
    interval: 20,
  })
}
