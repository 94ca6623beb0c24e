import { closeSync, constants, mkdirSync, openSync, rmSync, statSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { systemPath } from './system-path.ts'

/** Pipes created per batch: creating them takes a process, and programs rarely need more at once. */
const batch = 4

/** One pipe for both stdout and stderr of a program. */
export interface OutputPipe {
  /** Ends once no process holds the other end. */
  readonly source: Socket
  /** Descriptor of the write end. Close it once a program has it. */
  readonly writer: number
}

/**
 * Named pipes for the output of programs. Node's default is one socket each for stdout and stderr, which loses the order between the
 * two and cannot be opened by path (`/dev/stderr`).
 */
export class OutputPipes {
  readonly folder: string
  /** Names of unused pipes. */
  readonly #free: string[] = []
  #count = 0
  #making: Promise<boolean> | undefined

  /** `folder` must be used for nothing else. It is created (0700) on first use. */
  constructor(folder: string) {
    this.folder = folder
  }

  /** Whether pipes were made, and with them the folder. */
  get isMade(): boolean {
    return this.#count > 0
  }

  /** Starts making the first pipes. */
  prepare(): void {
    if (!this.isMade) this.#making ??= this.#make()
  }

  /** `undefined` if this machine cannot make pipes. */
  async open(): Promise<OutputPipe | undefined> {
    for (;;) {
      const name = this.#free.pop()
      if (name !== undefined) return this.#open(name)
      this.#making ??= this.#make()
      if (!(await this.#making)) return undefined
    }
  }

  /** Removes the folder. Open pipes stay open. */
  async close(): Promise<void> {
    await this.#making
    if (this.isMade) rmSync(this.folder, { recursive: true, force: true })
  }

  /** Remembers a failure, so that later calls do not retry. */
  async #make(): Promise<boolean> {
    const names = Array.from({ length: batch }, (_, i) => `${this.#count + i}`)
    this.#count += batch
    if (!(await makePipes(this.folder, names))) return false
    this.#free.push(...names)
    this.#making = undefined
    return true
  }

  #open(name: string): OutputPipe | undefined {
    const pipe = openPipe(join(this.folder, name))
    // A pipe at its end can be reused. Any other may still be held by a program.
    pipe?.source.once('close', () => {
      if (pipe.source.readableEnded) this.#free.push(name)
    })
    return pipe
  }
}

async function makePipes(folder: string, names: readonly string[]): Promise<boolean> {
  const { spawn } = process.getBuiltinModule('node:child_process')
  try {
    // Creates no folders above it: Node's recursive mode never returns if none can be created.
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
      mkdirSync(folder, { mode: 0o700 })
  } catch {
    return false
  }
  const env = { PATH: systemPath }
  const child = spawn('mkfifo', ['-m', '600', ...names], { cwd: folder, env, stdio: 'ignore' })
  return new Promise((resolve) => {
    child.once('error', () => resolve(false)).once('exit', (code) => resolve(code === 0))
  })
}

/** Opens both ends of a named pipe. `undefined` if it is gone (`/tmp` was cleaned) or too many files are open. */
function openPipe(path: string): OutputPipe | undefined {
  const { Socket } = process.getBuiltinModule('node:net')
  const opened: number[] = []
  try {
    // The reader first: the writer would wait for it.
    const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    opened.push(reader)
    const writer = openSync(path, constants.O_WRONLY)
    opened.push(writer)
    return { source: new Socket({ fd: reader, readable: true, writable: false }), writer }
  } catch {
    opened.forEach(closeSync)
    return undefined
  }
}
