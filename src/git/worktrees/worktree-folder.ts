import { existsSync, mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { enumerate } from '../../characters/enumerate.ts'
import { PipeError } from '../../error.ts'
import { holderOf } from '../../files/lock/lock-holder.ts'
import { look } from '../../files/look.ts'
import { makePrivateFolder } from '../../files/private-folder.ts'
import { removeTree } from '../../files/writing/remove-tree.ts'
import type { Worktree, WorktreeDiff } from '../../machine/worktree.ts'
import { type Project, type ProjectPlace, withNewIndex, workLimits } from '../project.ts'
import { Shadow } from '../shadow.ts'
import { commitTree, pathsIn, treeOf } from '../tree/commit-tree.ts'
import { takeSnapshot } from '../tree/snapshot.ts'
import { giveIndex, register, unregister } from './registration.ts'
import { diffWork } from './work-diff.ts'
import { RefStore, type WorkRefs } from './work-refs.ts'
import { touchRecord, type WorktreeRecord, writeRecord } from './worktree-record.ts'

/** The project, and who hears of its worktrees. */
export interface WorktreePlace extends ProjectPlace {
  /** Says something to the user in one line. */
  readonly warn: (line: string) => void
}

/** Paths that a warning names at most. */
const mostNamed = 10

interface Making {
  readonly project: Project
  readonly id: string
  readonly names: WorkRefs
  readonly base: string
  /** The commit whose files the folder gets. */
  readonly files: string
  readonly signal: AbortSignal
}

/** Makes the folder in this place, of which nothing may be there. Removes it again if that fails. */
export async function makeWorktree(
  options: WorktreePlace,
  place: string,
  { project, id, names, base, files, signal }: Making,
): Promise<WorktreeFolder> {
  const { root: top, below, repository, shadow, refs } = project
  const { clock, pid, host } = options
  const root = join(place, 'tree', basename(top) || 'root')
  const record: WorktreeRecord = {
    id,
    project: top,
    below,
    root,
    base,
    common: repository?.common ?? shadow.path,
    objects: repository?.objects ?? join(shadow.path, 'objects'),
    format: repository?.format ?? 'sha1',
    sharing: repository?.sharing,
    isWorktree: repository !== undefined,
    isReady: false,
    owner: holderOf(pid, host, clock.now()),
  }
  makePrivateFolder(join(place, 'tree'))
  await writeRecord(place, record)
  const made = new WorktreeFolder(options, place, { ...record, isReady: true }, names)
  try {
    if (repository === undefined) mkdirSync(root)
    else await register(refs, { root, commit: base, clock, signal })
    await made.fill(files, signal)
    await writeRecord(place, made.record)
    return made
  } catch (error) {
    await made.remove()
    throw error
  }
}

/** Removes a worktree's folder, whole or not, and what git knows of it. */
export async function removeWorktree(place: string, record: WorktreeRecord | undefined): Promise<void> {
  // Nobody may take a folder for whole of which a part is removed.
  if (record?.isReady === true && existsSync(place)) await writeRecord(place, { ...record, isReady: false })
  if (record?.isWorktree === true) await unregister(record.common, record.root)
  // The record goes last, so that a removal that was interrupted can be repeated.
  await removeTree(join(place, 'tree'))
  await removeTree(place)
}

/** A worktree that its record describes. */
export class WorktreeFolder implements Worktree {
  readonly id: string
  readonly cwd: string
  readonly base: string
  readonly ref: string
  readonly record: WorktreeRecord
  readonly #options: WorktreePlace
  readonly #place: string
  readonly #shadow: Shadow
  /** Paths that are no part of the work, whatever `.gitignore` says by then. Absent: those ignored when it is saved. */
  #untouched: readonly string[] | undefined
  /** Names what the user was told that the saved work lacks. */
  readonly #told = new Set<string>()

  constructor(options: WorktreePlace, place: string, record: WorktreeRecord, names: WorkRefs) {
    const { root, below, id, base, objects, format, common, sharing } = record
    const { commands, clock, pid, host, searchPath } = options
    this.id = id
    this.base = base
    this.ref = names.work
    this.record = record
    this.cwd = join(root, below)
    this.#options = options
    this.#place = place
    this.#shadow = new Shadow({
      root,
      cwd: this.cwd,
      commands,
      clock,
      pid,
      host,
      searchPath,
      directory: place,
      keepOut: [],
      store: { objects, format, common, sharing },
    })
  }

  /** Leaves these ignored paths out of the work, even if they are not ignored any more. */
  leaveOut(paths: readonly string[]): void {
    this.#untouched = paths
  }

  /** Writes the files of a commit into the empty folder. */
  async fill(commit: string, signal: AbortSignal): Promise<void> {
    const shadow = this.#shadow.within(workLimits.ms, signal)
    const { common, root, isWorktree } = this.record
    await shadow.exclusively(async () => {
      await shadow.git(['read-tree', commit])
      await shadow.git(['checkout-index', '--all', '--force', '--index'])
      if (isWorktree) giveIndex(common, root, join(shadow.path, 'index'))
    })
    mkdirSync(this.cwd, { recursive: true })
  }

  async save({ signal }: { readonly signal: AbortSignal }): Promise<boolean> {
    if (look(this.record.root)?.isDirectory() !== true)
      throw new PipeError('tool', `the folder ${this.record.root} is gone; open the worktree again`)
    const shadow = this.#shadow.within(workLimits.ms, signal)
    return shadow.exclusively(async () => {
      touchRecord(this.#place, this.#options.clock.now())
      const tracked = new Set(await pathsIn(shadow, this.base))
      const untouched = this.#untouched
      const entered: string[] = []
      const enters = (repository: string) => {
        entered.push(repository)
        return true
      }
      const saving = { limits: workLimits, tracked, enters, ...(untouched !== undefined && { untouched }) }
      const { tree, leftOut, repositories } = await withNewIndex(shadow, () => takeSnapshot(shadow, saving))
      const unsaved = [...leftOut, ...repositories.tooLarge]
      this.#tellOnce([...unsaved, ...entered.map((repository) => `the commits in ${repository}`)])
      const refs = this.#refs(signal)
      const last = await refs.read(this.ref)
      if (tree === (await treeOf(shadow, last ?? this.base))) {
        if (last === undefined) await refs.write(this.ref, this.base)
        return false
      }
      const message = `Work of ${this.id}`
      await refs.write(this.ref, await commitTree(shadow, { tree, parents: [this.base], message }))
      return true
    })
  }

  /** Names what the saved work lacks: no diff shows it. */
  #tellOnce(lacking: readonly string[]): void {
    const news = [...new Set(lacking)].filter((one) => !this.#told.has(one))
    if (news.length === 0) return
    for (const one of news) this.#told.add(one)
    this.#options.warn(
      `the saved work of ${this.id} cannot hold ${enumerate(news, mostNamed)}: pipe removes them with the folder ${this.record.root}`,
    )
  }

  async diff({ signal, showsRenames }: Parameters<Worktree['diff']>[0]): Promise<WorktreeDiff> {
    await this.save({ signal })
    const to = (await this.#refs(signal).read(this.ref)) ?? this.base
    const { below } = this.record
    const shadow = this.#shadow.within(workLimits.ms, signal)
    return shadow.exclusively(() => diffWork(shadow, { from: this.base, to, below, showsRenames }))
  }

  remove(): Promise<void> {
    return removeWorktree(this.#place, this.record)
  }

  #refs(signal: AbortSignal): RefStore {
    const { commands, searchPath } = this.#options
    return new RefStore({ directory: this.record.common, commands, searchPath, signal })
  }
}
