import { PipeError } from '../../error.ts'
import type { AppliedWork } from '../../machine/worktree.ts'
import { findUnsaved } from '../checkpoints/unsaved.ts'
import type { Project } from '../project.ts'
import { commitTree } from '../tree/commit-tree.ts'
import { composeTree } from '../tree/compose-tree.ts'
import { placeFiles } from '../tree/placement.ts'
import { changedSinceSnapshot, clearStaging, stage } from '../tree/restore.ts'
import { diffTrees, findReverted, type TreeChange } from '../tree/tree-diff.ts'
import { mergeTrees } from './merge-trees.ts'
import { fromFolder } from './work-diff.ts'
import type { WorkRefs } from './work-refs.ts'

/**
 * Merges work into the user's files: all of it, or nothing if some does not fit. A kill leaves each file old or new, and the next
 * attempt completes it. Throws `not_found` if nothing was saved, `tool`, `aborted`.
 */
export function applyWork(project: Project, names: WorkRefs): Promise<AppliedWork> {
  return project.shadow.exclusively(async () => {
    const { refs } = project
    const work = await refs.read(names.work)
    if (work === undefined) throw nothingSaved(names)
    const applied = await refs.read(names.applied)
    const outcome: AppliedWork = { applied: [], conflicts: [], ref: names.work }
    if (applied === work) return outcome
    const base = applied ?? (await refs.read(names.base))
    if (base === undefined) throw nothingSaved(names)
    const relative = (paths: readonly string[]) => paths.map((path) => fromFolder(path, project.below))
    try {
      const { changed, conflicts } = await merge(project, { names, base, work })
      if (conflicts.length > 0) return { ...outcome, conflicts: relative(conflicts) }
      // The files are in place: an interruption comes too late.
      const steady = refs.uninterrupted()
      await steady.write(names.applied, work)
      await steady.remove([names.begun])
      return { ...outcome, applied: relative(changed) }
    } finally {
      clearStaging(project.shadow)
    }
  })
}

/** Says that a piece of work has no saved state. */
export function nothingSaved({ work }: WorkRefs): PipeError {
  return new PipeError('not_found', `no work is saved under ${work}`)
}

interface Merging {
  readonly names: WorkRefs
  readonly base: string
  readonly work: string
}

interface Merged {
  readonly changed: readonly string[]
  readonly conflicts: readonly string[]
}

async function merge(project: Project, { names, base, work }: Merging): Promise<Merged> {
  const { shadow, refs } = project
  const now = await project.snapshot([base])
  const begun = await refs.read(names.begun)
  const start = begun === undefined ? now : await withoutBegun(project, now, begun)
  const merged = await mergeTrees(shadow, { base, ours: start, theirs: work })
  if (merged.conflicts.length > 0) return { changed: [], conflicts: merged.conflicts }
  const changes = ofFiles(await diffTrees(shadow, [now, merged.tree]))
  const tree = await composeTree(shadow, now, changes)
  const staging = await stage(shadow, changes)
  const changed = (await diffTrees(shadow, [start, tree])).map(({ path }) => path)
  await noteBegin(project, { names, start, tree })
  const inTheWay = [...(await changedSinceSnapshot(shadow, changes)), ...findUnsaved(project.root, changes)]
  if (inTheWay.length > 0) return { changed: [], conflicts: [...new Set(inTheWay)].sort() }
  const folders = { gone: [], made: [] }
  placeFiles({
    root: project.root,
    cwd: shadow.cwd,
    staging,
    changes,
    modes: new Map(),
    keeps: new Map(),
    folders,
  })
  return { changed, conflicts: [] }
}

/** The files as they were before a merge that did not end. */
async function withoutBegun({ shadow }: Project, now: string, begun: string): Promise<string> {
  const back = await findReverted(shadow, { now, done: begun, undone: `${begun}^` })
  return composeTree(shadow, now, back)
}

/** Keeps the files before and after, so that the next attempt knows what this one did. */
async function noteBegin(
  { shadow, refs }: Project,
  { names, start, tree }: { readonly names: WorkRefs; readonly start: string; readonly tree: string },
): Promise<void> {
  const before = await commitTree(shadow, { tree: start, message: 'before the merge' })
  const after = await commitTree(shadow, { tree, parents: [before], message: 'after the merge' })
  await refs.write(names.begun, after)
}

const submodule = '160000'

function ofFiles(changes: readonly TreeChange[]): readonly TreeChange[] {
  return changes.filter((change) => change.old?.mode !== submodule && change.new?.mode !== submodule)
}
