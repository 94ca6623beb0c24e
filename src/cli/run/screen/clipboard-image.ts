import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PipeError } from '../../../error.ts'
import { fileError } from '../../../files/system-error.ts'
import type { ProgramRunner } from '../../../machine/program-runner.ts'
import { mediaType } from '../../../media/media-type.ts'
import { findProgram } from '../../../process/search-path.ts'
import { systemPath } from '../../../process/system-path.ts'
import type { Host } from '../../host.ts'

type ClipboardHost = Pick<Host, 'env' | 'platform' | 'cwd' | 'clock'>

/** A program that prints the image on the clipboard, and what installs it. */
interface Helper {
  readonly name: string
  readonly args: (type: string) => readonly string[]
  readonly package: string
}

const wayland: Helper = {
  name: 'wl-paste',
  args: (type) => ['--no-newline', '--type', type],
  package: 'wl-clipboard',
}
const x11: Helper = {
  name: 'xclip',
  args: (type) => ['-selection', 'clipboard', '-t', type, '-o'],
  package: 'xclip',
}
const macOs: Helper = { name: 'pngpaste', args: () => ['-'], package: 'pngpaste' }

/** Types that a helper is asked for, and the endings of their files. */
const endings = { 'image/png': 'png', 'image/jpeg': 'jpg' } as const

/** A program that waits for the owner of the clipboard may wait forever. */
const timeoutMs = 3_000
/** More than any image that is sent, so that a larger one is refused by its size. */
const maxBytes = 32 * 1024 * 1024

/** Variables that a helper gets: where the screen is, and no key. */
const passedOn = /^(?:HOME|PATH|LANG|LC_\w+|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_\w+)$/

/** The images that were taken from the clipboard: one file each, until they are closed. */
export class ClipboardImages {
  readonly #host: ClipboardHost
  #folder: Promise<string> | undefined
  #count = 0

  constructor(host: ClipboardHost) {
    this.#host = host
  }

  /**
   * Keeps the image that is on the clipboard in a file, and returns its path. Throws `input` if there is none, or no program that can tell,
   * and `tool` if that program fails.
   */
  async take(signal: AbortSignal): Promise<string> {
    const { clock, cwd } = this.#host
    const helper = this.#helper()
    const { createProgramRunner } = await import('../../../process/program-runner.ts')
    const programs = createProgramRunner({ clock, projectFolders: [cwd] })
    for (const [type, ending] of Object.entries(endings)) {
      const bytes = await this.#read(programs, helper, type, signal)
      if (mediaType(bytes) === type) return this.#keep(bytes, ending)
    }
    throw new PipeError('input', 'no image on the clipboard')
  }

  /** Keeps these bytes in a file, and returns its path; `undefined` if they are no image of a type that helpers give. Throws `tool`. */
  async keep(bytes: Uint8Array): Promise<string | undefined> {
    const type = mediaType(bytes)
    const ending = Object.entries(endings).find(([one]) => one === type)?.[1]
    return ending && this.#keep(bytes, ending)
  }

  /** Removes the files. */
  async close(): Promise<void> {
    if (this.#folder !== undefined) await rm(await this.#folder, { recursive: true, force: true })
  }

  /** Finds the program for this screen on the absolute PATH. Throws `input`. */
  #helper(): Helper {
    const { env, platform, cwd } = this.#host
    const isSet = (name: string) => (env[name] ?? '') !== ''
    const fitting = [
      ...(isSet('WAYLAND_DISPLAY') ? [wayland] : []),
      ...(isSet('DISPLAY') ? [x11] : []),
      ...(platform === 'darwin' ? [macOs] : []),
    ]
    const [first] = fitting
    if (first === undefined)
      throw new PipeError(
        'input',
        'no clipboard with images is within reach here; drop an image, or paste its path',
      )
    const path = env['PATH'] ?? systemPath
    const found = fitting.find(({ name }) => findProgram(name, path, [cwd]) !== undefined)
    if (found === undefined)
      throw new PipeError(
        'input',
        `pipe reads images from the clipboard with ${first.name}: install ${first.package}`,
      )
    return found
  }

  async #read(
    programs: ProgramRunner,
    { name, args }: Helper,
    type: string,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    const env = Object.fromEntries(
      Object.entries(this.#host.env).filter(([variable]) => passedOn.test(variable)),
    )
    const call = { file: name, args: args(type), cwd: '/', env }
    const { exitCode, stdout } = await programs.run(call, { signal, timeoutMs, maxBytes, isBinary: true })
    // A failed program says that there is nothing of this type.
    return exitCode === 0 ? Buffer.from(stdout, 'latin1') : new Uint8Array()
  }

  async #keep(bytes: Uint8Array, ending: string): Promise<string> {
    this.#folder ??= mkdtemp(join(tmpdir(), 'pipe-clipboard-')).catch((error: unknown) => {
      this.#folder = undefined
      throw fileError(error, tmpdir(), 'make')
    })
    const path = join(await this.#folder, `clipboard-${++this.#count}.${ending}`)
    await writeFile(path, bytes, { mode: 0o600 }).catch((error: unknown) => {
      throw fileError(error, path, 'write')
    })
    return path
  }
}
