import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathFrom } from '../../machine/path.ts'
import type { Shadow } from '../shadow.ts'
import { placeFiles } from '../tree/placement.ts'
import { changedSince, stagingOfWritten } from '../tree/restore.ts'
import {
  blobsIndex,
  type FileState,
  keepStates,
  readWrittenList,
  type SeenFile,
  treeOfBlobs,
  type WrittenFile,
  writeList,
} from './written-files.ts'

interface Returning {
  /** The commit that lists the files. */
  readonly list: string
  /** The state that they go to: before the turn, or after it. */
  readonly to: 'before' | 'after'
  /** Also overwrites later changes, which are saved first. */
  readonly force: boolean
  /** An earlier attempt was interrupted, and may have placed some of the files. */
  readonly isBegun: boolean
}

/** Says what happens to a file. */
interface Step {
  readonly file: WrittenFile
  readonly now: FileState | undefined
  readonly wanted: FileState | undefined
}

/** A prepared change to the files that a turn wrote outside of the saved tree. */
export interface WrittenReturn {
  /** Paths relative to the root if they are inside, else absolute. */
  readonly changed: readonly string[]
  readonly removed: readonly string[]
  readonly broughtBack: readonly string[]
  /** Saves the files as they are now, so that the way back leads to them. */
  note(shadow: Shadow, ref: string): Promise<void>
  /** Places the files, synchronously. */
  carryOut(): void
}

/** Stages these files. Throws `conflict`, naming them, if some have changed since. */
export async function prepareWritten(
  shadow: Shadow,
  { list, to, force, isBegun }: Returning,
): Promise<WrittenReturn> {
  const files = await readWrittenList(shadow, list)
  const states = await keepStates(
    shadow,
    files.map(({ path }) => path),
  )
  const steps = files.map((file): Step | string => {
    const found = states.get(file.path)
    const wanted = to === 'before' ? file.before : file.after
    if (found === 'other' || wanted === 'unknown') return file.path
    const isExpected = sameContent(found, to === 'before' ? file.after : file.before)
    if (!isExpected && !sameContent(found, wanted) && !force) return file.path
    return { file, now: found, wanted }
  })
  const conflicts = steps.flatMap((step) => (typeof step === 'string' ? [pathFrom(shadow.root, step)] : []))
  if (conflicts.length > 0)
    throw changedSince(conflicts, { isKnown: files.every(({ after }) => after !== 'unknown'), force })
  const planned = steps.flatMap((step) => (typeof step === 'string' ? [] : [step]))
  const moves = planned.filter(({ now, wanted }) => !sameState(now, wanted))
  const staging = await stageWritten(shadow, moves)
  const paths = (test: (step: Step) => boolean) =>
    moves.filter(test).map(({ file }) => pathFrom(shadow.root, file.path))
  return {
    changed: paths(({ now, wanted }) => now !== undefined && wanted !== undefined),
    removed: paths(({ wanted }) => wanted === undefined),
    broughtBack: paths(({ now }) => now === undefined),
    note: (steady, ref) =>
      writeList(
        steady,
        ref,
        planned.map((step) => turnedOver(step, { to, isBegun })),
      ),
    carryOut: () => {
      if (moves.length > 0) placeWritten(shadow, staging, moves)
    },
  }
}

function turnedOver(
  { file, now, wanted }: Step,
  { to, isBegun }: Pick<Returning, 'to' | 'isBegun'>,
): WrittenFile {
  // The interrupted attempt has noted what it then replaced.
  if (isBegun && sameContent(now, wanted)) return file
  return to === 'before' ? { ...file, after: now } : { ...file, before: now }
}

function sameContent(a: SeenFile, b: FileState | undefined | 'unknown'): boolean {
  if (a === 'other' || b === 'unknown') return false
  return a?.id === b?.id
}

function sameState(a: FileState | undefined, b: FileState | undefined): boolean {
  return a?.id === b?.id && a?.mode === b?.mode
}

/** Writes the wanted contents to a folder of ours, under the paths of the files. */
async function stageWritten(shadow: Shadow, moves: readonly Step[]): Promise<string> {
  const staging = stagingOfWritten(shadow)
  rmSync(staging, { recursive: true, force: true })
  const coming = moves.flatMap(({ file, wanted }) =>
    wanted === undefined ? [] : [{ ...file, id: wanted.id }],
  )
  if (coming.length === 0) return staging
  // Git takes no path with `.git` in it, so the blobs get numbers first.
  const blobs = new Map(coming.map(({ id }, i) => [String(i), id]))
  await treeOfBlobs(shadow, blobs)
  await shadow.git(['checkout-index', `--prefix=${staging}/numbered/`, '--all'], {
    index: blobsIndex(shadow),
  })
  for (const [i, { path }] of coming.entries()) {
    const place = join(staging, 'named', path)
    mkdirSync(dirname(place), { recursive: true })
    renameSync(join(staging, 'numbered', String(i)), place)
  }
  return staging
}

function placeWritten({ cwd }: Shadow, staging: string, moves: readonly Step[]): void {
  const below = (path: string) => path.slice(1)
  const keeps = new Map(moves.map(({ file }) => [`${below(file.base)}/`, 'plain' as const]))
  const modes = new Map<string, number>()
  for (const { file, wanted } of moves) if (wanted !== undefined) modes.set(below(file.path), wanted.mode)
  const changes = moves.map(({ file, now, wanted }) => ({
    path: below(file.path),
    old: now && { mode: '100644', id: now.id },
    new: wanted && { mode: '100644', id: wanted.id },
  }))
  placeFiles({
    root: '/',
    cwd,
    staging: join(staging, 'named'),
    changes,
    modes,
    keeps,
    folders: { gone: [], made: [] },
  })
}
