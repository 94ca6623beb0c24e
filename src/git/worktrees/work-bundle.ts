import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isPipeError, PipeError } from '../../error.ts'
import type { Project } from '../project.ts'
import { nothingSaved } from './apply-work.ts'
import type { WorkRefs } from './work-refs.ts'

/** Packs work and what it began with, but not the history before that. `file` is a draft. Throws `not_found`. */
export async function packWork({ refs }: Project, file: string, names: WorkRefs): Promise<Uint8Array> {
  const [work, base] = [await refs.read(names.work), await refs.read(names.base)]
  if (work === undefined || base === undefined) throw nothingSaved(names)
  try {
    await refs.git(['bundle', 'create', '--quiet', file, names.work, names.base, '--not', `${base}^@`])
    return readFileSync(file)
  } finally {
    rmSync(file, { force: true })
  }
}

/** Reads the commit of the work from the first bytes of a bundle; `undefined` if they do not name it. */
export function packedWork(start: Uint8Array, { work }: WorkRefs): string | undefined {
  const [header = ''] = Buffer.from(start).toString('latin1').split('\n\n', 1)
  const line = header.split('\n').find((one) => one.endsWith(` ${work}`))
  return /^[0-9a-f]{40,64}(?= )/.exec(line ?? '')?.[0]
}

interface Unpacking {
  readonly bundle: Uint8Array
  /** A draft. */
  readonly file: string
  readonly names: WorkRefs
}

/** Takes over packed work. Throws `invalid`, and `not_found` if the history before it is missing here. */
export async function unpackWork(
  { refs, shadow, root }: Project,
  { bundle, file, names }: Unpacking,
): Promise<void> {
  // Outside of git this makes our own repository.
  await shadow.exclusively(async () => undefined)
  try {
    writeFileSync(file, bundle, { mode: 0o600 })
    const listed = await refs.git(['bundle', 'unbundle', file]).catch((error: unknown) => {
      throw translated(error, root)
    })
    const commits = new Map(
      listed.split('\n').map((line) => [line.slice(line.indexOf(' ') + 1), line.split(' ')[0]]),
    )
    const [work, base] = [commits.get(names.work), commits.get(names.base)]
    if (work === undefined || base === undefined)
      throw new PipeError('invalid', `the bundle does not hold ${names.work}`)
    await refs.write(names.base, base)
    await refs.write(names.work, work)
  } finally {
    rmSync(file, { force: true })
  }
}

function translated(error: unknown, root: string): unknown {
  if (!isPipeError(error) || error.details['reason'] !== 'exit') return error
  if (/prerequisite/.test(error.message)) {
    const advice = 'fetch it from the other machine first'
    return new PipeError('not_found', `${root} lacks the commit that this work started from; ${advice}`, {
      cause: error,
    })
  }
  return new PipeError('invalid', `not a git bundle: ${error.message}`, { cause: error })
}
