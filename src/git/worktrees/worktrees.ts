import { join } from 'node:path'
import { isSurvivable, PipeError } from '../../error.ts'
import { holderOf, isAlive } from '../../files/lock/lock-holder.ts'
import { isRunning } from '../../files/lock/process-start.ts'
import { entryNames, look } from '../../files/look.ts'
import { makePrivateFolder } from '../../files/private-folder.ts'
import type {
  AppliedWork,
  PortableWorktrees,
  Worktree,
  WorktreeDiff,
  WorktreeOptions,
} from '../../machine/worktree.ts'
import { openProject, type Project, workLimits } from '../project.ts'
import { commitTree } from '../tree/commit-tree.ts'
import { ignoredPaths } from '../tree/snapshot.ts'
import { applyWork, nothingSaved } from './apply-work.ts'
import { copyIgnored } from './ignored-files.ts'
import { packedWork, packWork, unpackWork } from './work-bundle.ts'
import { diffWork } from './work-diff.ts'
import { refsOf, type WorkKind } from './work-refs.ts'
import { makeWorktree, removeWorktree, WorktreeFolder, type WorktreePlace } from './worktree-folder.ts'
import { readRecord, recordPath, type WorktreeRecord, writeRecord } from './worktree-record.ts'

export interface WorktreesOptions extends WorktreePlace {
  readonly kind: WorkKind
}

/** Work that a ref keeps. */
export interface SavedWork {
  readonly id: string
  readonly ref: string
  /** Milliseconds since 1970. */
  readonly savedAt: number
}

type Ending = { readonly signal: AbortSignal }

interface Sweeping extends Ending {
  /** Whether the work of this id has ended for good. Default: that is not known. */
  readonly isOver?: ((id: string) => boolean) | undefined
}

/** Worktrees of the user's own repository, and copies of folders outside of git. See `docs/decisions/0040-worktrees.md`. */
export class GitWorktrees implements PortableWorktrees {
  readonly #options: WorktreesOptions
  #isSwept = false

  constructor(options: WorktreesOptions) {
    this.#options = options
  }

  async create(id: string, { signal, base: wanted }: WorktreeOptions): Promise<WorktreeFolder> {
    const names = refsOf(this.#options.kind, id)
    const project = await openProject(this.#options, signal)
    const place = this.#place(id)
    const left = readRecord(place)
    if (left?.isReady === true || (await project.refs.read(names.work)) !== undefined)
      throw new PipeError('conflict', `there is already a worktree with the id ${id}`)
    if (!this.#isSwept) await this.sweep({ signal })
    await removeWorktree(place, left)
    makePrivateFolder(place)
    const base = await project.shadow.exclusively(async () => {
      const commit = await (wanted === undefined ? snapshot(project, id) : resolve(project, wanted))
      await project.refs.write(names.base, commit)
      return commit
    })
    return makeWorktree(this.#options, place, { project, id, names, base, files: base, signal })
  }

  /**
   * Keeps the files as they are as what the work of this id begins with. Returns their commit; the user's own if nothing differs from it,
   * `undefined` if there is none.
   */
  async keep(id: string, { signal }: Ending): Promise<string | undefined> {
    const names = refsOf(this.#options.kind, id)
    const project = await openProject(this.#options, signal)
    const { refs, repository, shadow } = project
    const head = repository?.head
    if (head === undefined) return undefined
    return shadow.exclusively(async () => {
      const tree = await project.snapshot([head])
      if (tree === (await refs.git(['rev-parse', `${head}^{tree}`])).trim()) return head
      const commit = await commitTree(shadow, { tree, parents: [head], message: `Files before ${id}` })
      await refs.write(names.base, commit)
      await refs.write(names.work, commit)
      return commit
    })
  }

  /**
   * Copies the project's ignored files into a worktree: to be read and run there, and no part of its work. Returns false if some were
   * left out for want of room.
   */
  async addIgnored(
    worktree: WorktreeFolder,
    { signal, mayCopy }: Ending & { readonly mayCopy: (path: string) => boolean },
  ): Promise<boolean> {
    const { root, shadow } = await openProject(this.#options, signal)
    const paths = await shadow.exclusively(() => ignoredPaths(shadow, workLimits))
    worktree.leaveOut(paths)
    return copyIgnored({ from: root, to: worktree.record.root, paths, mayCopy, signal })
  }

  async open(id: string, { signal }: Ending): Promise<Worktree> {
    const names = refsOf(this.#options.kind, id)
    const place = this.#place(id)
    const found = readRecord(place)
    if (found?.isReady === true && look(found.root)?.isDirectory() === true) {
      const { pid, host, clock } = this.#options
      const record = { ...found, owner: holderOf(pid, host, clock.now()) }
      await writeRecord(place, record)
      return new WorktreeFolder(this.#options, place, record, names)
    }
    const project = await openProject(this.#options, signal)
    const base = await project.refs.read(names.base)
    if (base === undefined) throw nothingSaved(names)
    const files = (await project.refs.read(names.work)) ?? base
    await removeWorktree(place, found)
    makePrivateFolder(place)
    await project.shadow.exclusively(async () => undefined)
    return makeWorktree(this.#options, place, { project, id, names, base, files, signal })
  }

  async apply(id: string, { signal }: Ending): Promise<AppliedWork> {
    return applyWork(await openProject(this.#options, signal), refsOf(this.#options.kind, id))
  }

  async diff(id: string, { signal }: Ending): Promise<WorktreeDiff> {
    const names = refsOf(this.#options.kind, id)
    const { refs, shadow, below } = await openProject(this.#options, signal)
    const [from, to] = [await refs.read(names.base), await refs.read(names.work)]
    if (from === undefined || to === undefined) throw nothingSaved(names)
    return shadow.exclusively(() => diffWork(shadow, { from, to, below }))
  }

  async discard(id: string, { signal }: Ending): Promise<void> {
    const names = refsOf(this.#options.kind, id)
    const { refs } = await openProject(this.#options, signal)
    const place = this.#place(id)
    await removeWorktree(place, readRecord(place))
    const known = await refs.present(Object.values(names))
    await refs.remove(known)
  }

  async bundle(id: string, { signal }: Ending): Promise<Uint8Array> {
    return packWork(await openProject(this.#options, signal), this.#draft(id), refsOf(this.#options.kind, id))
  }

  async holds(id: string, bundleStart: Uint8Array, { signal }: Ending): Promise<boolean> {
    const names = refsOf(this.#options.kind, id)
    const packed = packedWork(bundleStart, names)
    if (packed === undefined) return false
    const { refs } = await openProject(this.#options, signal)
    return (await refs.read(names.work)) === packed && (await refs.read(names.base)) !== undefined
  }

  /** Whether changes are saved here. */
  async hasChanges(id: string, { signal }: Ending): Promise<boolean> {
    const names = refsOf(this.#options.kind, id)
    const { refs } = await openProject(this.#options, signal)
    const work = await refs.read(names.work)
    return work !== undefined && work !== (await refs.read(names.base))
  }

  async restoreBundle(id: string, bundle: Uint8Array, { signal }: Ending): Promise<void> {
    const project = await openProject(this.#options, signal)
    const names = refsOf(this.#options.kind, id)
    const before = await project.refs.read(names.work)
    await unpackWork(project, { bundle, file: this.#draft(id), names })
    if (before === (await project.refs.read(names.work))) return
    // The folder here was left before the other machine went on.
    const place = this.#place(id)
    await removeWorktree(place, readRecord(place))
  }

  /** The saved works, newest first. */
  async list({ signal }: Ending): Promise<readonly SavedWork[]> {
    const { refs } = await openProject(this.#options, signal)
    const listed = await refs.dated(`refs/pipe/${this.#options.kind}/`)
    return listed.map(({ ref, at }) => ({ id: ref.slice(ref.lastIndexOf('/') + 1), ref, savedAt: at }))
  }

  /**
   * Removes folders whose process is gone, also those of other projects, once nobody used them for a day, or at once if nobody will:
   * `isOver`. Saves their work first. Returns their ids.
   */
  async sweep({ signal, isOver }: Sweeping): Promise<readonly string[]> {
    this.#isSwept = true
    const swept: string[] = []
    for (const id of entryNames(join(this.#options.folder, this.#options.kind))) {
      const place = this.#place(id)
      if (!this.#isOrphaned(place, isOver?.(id) === true ? 0 : dayMs)) continue
      const record = readRecord(place)
      if (record?.isReady === true && !(await this.#rescue(place, record, signal))) continue
      await removeWorktree(place, record)
      swept.push(id)
    }
    return swept
  }

  /** Saves what a process that died left in its folder, unless the repository is gone too. Returns false if that fails. */
  async #rescue(place: string, record: WorktreeRecord, signal: AbortSignal): Promise<boolean> {
    if (look(record.common) === undefined || look(record.root)?.isDirectory() !== true) return true
    const names = refsOf(this.#options.kind, record.id)
    try {
      await new WorktreeFolder(this.#options, place, record, names).save({ signal })
      return true
    } catch (error) {
      if (!isSurvivable(error)) throw error
      return false
    }
  }

  #isOrphaned(place: string, leastMs: number): boolean {
    const { clock, pid, host } = this.#options
    const used = look(recordPath(place)) ?? look(place)
    if (used === undefined || clock.now() - used.mtimeMs < leastMs) return false
    const owner = readRecord(place)?.owner
    const evidence = { silentMs: clock.now() - used.mtimeMs, isRunning }
    return owner === undefined || !isAlive(owner, holderOf(pid, host, clock.now()), evidence)
  }

  #place(id: string): string {
    return join(this.#options.folder, this.#options.kind, id)
  }

  /** A file for a bundle on its way. */
  #draft(id: string): string {
    const { folder, kind, pid } = this.#options
    makePrivateFolder(join(folder, 'bundles'))
    return join(folder, 'bundles', `${kind}-${id}-${pid}`)
  }
}

const dayMs = 24 * 60 * 60 * 1_000

/** Commits the files as they are on top of the user's last commit. */
async function snapshot(project: Project, id: string): Promise<string> {
  const { shadow, repository } = project
  const parents = repository?.head === undefined ? [] : [repository.head]
  return commitTree(shadow, { tree: await project.snapshot(parents), parents, message: `Files before ${id}` })
}

async function resolve({ refs, root }: Project, name: string): Promise<string> {
  const commit = await refs.read(name)
  if (commit === undefined) throw new PipeError('input', `there is no commit ${name} in ${root}`)
  return commit
}
