import { closeSync, constants, mkdirSync, openSync, rmSync, statSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { systemPath } from './system-path.ts'

/** It takes a process to make them: as many at once as mostly run side by side. */
const batch = 4

/** One pipe for all that a program writes. */
export interface OutputPipe {
  /** Ends when nobody holds the other end any more. */
  readonly source: Socket
  /** The descriptor of the other end. Close it once a program has it. */
  readonly writer: number
}

/**
 * Pipes for the output of programs. What Node gives them otherwise is a socket for stdout and one for stderr, in which the order
 * between the two is lost, and which cannot be opened by path (`/dev/stderr`).
 */
export class OutputPipes {
  readonly folder: string
  /** Those that nobody uses. */
  readonly #free: string[] = []
  #count = 0
  #making: Promise<boolean> | undefined

  /** A folder of its own, made (0700) when first needed. */
  constructor(folder: string) {
    this.folder = folder
  }

  /** Whether there is such a folder. */
  get isMade(): boolean {
    return this.#count > 0
  }

  /** Begins to make the first ones. */
  prepare(): void {
    if (!this.isMade) this.#making ??= this.#make()
  }

  /** `undefined` where this machine makes none. */
  async open(): Promise<OutputPipe | undefined> {
    for (;;) {
      const name = this.#free.pop()
      if (name !== undefined) return this.#open(name)
      this.#making ??= this.#make()
      if (!(await this.#making)) return undefined
    }
  }

  /** Removes the folder. What is open stays so. */
  async close(): Promise<void> {
    await this.#making
    if (this.isMade) rmSync(this.folder, { recursive: true, force: true })
  }

  /** That it failed is remembered, that it did well is not. */
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
    // One that has come to its end is as good as new; any other may still be held by some program.
    pipe?.source.once('close', () => {
      if (pipe.source.readableEnded) this.#free.push(name)
    })
    return pipe
  }
}

async function makePipes(folder: string, names: readonly string[]): Promise<boolean> {
  const { spawn } = process.getBuiltinModule('node:child_process')
  try {
    // Not those above it: where there can be none, Node never ends trying.
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

/** Opens a named pipe at both ends; `undefined` where it is gone (who tidies up `/tmp`), or too many files are open. */
function openPipe(path: string): OutputPipe | undefined {
  const { Socket } = process.getBuiltinModule('node:net')
  const opened: number[] = []
  try {
    // The reader comes first, or the writer would wait for it.
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
