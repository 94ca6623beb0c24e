import { pairs } from './records.ts'
import type { Shadow } from './shadow.ts'

/** A file as a tree holds it: its mode and the id of its content. */
interface TreeFile {
  /** `100644`, `100755` for what may be run, `120000` for a symbolic link. */
  readonly mode: string
  readonly id: string
}

/** What became of one path between two trees. */
export interface TreeChange {
  readonly path: string
  /** Absent where there was no such file. */
  readonly old: TreeFile | undefined
  readonly new: TreeFile | undefined
}

/** The paths in which two trees differ, each a tree or a commit, sorted. */
export async function diffTrees(
  shadow: Shadow,
  [from, to]: readonly [from: string, to: string],
): Promise<readonly TreeChange[]> {
  const output = await shadow.git(['diff-tree', '-r', '-z', '--raw', '--no-renames', from, to])
  return pairs(output).map(([status, path]) => {
    const [oldMode = '', newMode = '', oldId = '', newId = ''] = status.slice(1).split(' ')
    return { path, old: file(oldMode, oldId), new: file(newMode, newId) }
  })
}

/** Whether both hold the same, or nothing. */
export function sameFile(a: TreeFile | undefined, b: TreeFile | undefined): boolean {
  return a?.mode === b?.mode && a?.id === b?.id
}

function file(mode: string, id: string): TreeFile | undefined {
  return mode === '000000' ? undefined : { mode, id }
}
