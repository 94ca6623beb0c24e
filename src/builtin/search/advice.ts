import { join } from 'node:path'
import { isSurvivable } from '../../error.ts'
import type { Workspace } from '../workspace.ts'
import { isFileEnding } from './languages.ts'

interface NamedFiles {
  /** Absolute, without symlinks. */
  readonly root: string
  /** As returned by `splitGlob`. */
  readonly glob: string | undefined
}

/** Corrects a glob that found nothing because it is the name of a folder or a file ending. */
export async function globAdvice(
  workspace: Workspace,
  { root, glob }: NamedFiles,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (glob === undefined) return []
  if (await isFolder(workspace, join(root, glob), signal)) {
    return [`${glob} is a folder: its files are ${glob}/**`]
  }
  const ending = glob.replace(/^\./, '')
  return isFileEnding(ending)
    ? [`${glob} is the name of a file: use *.${ending} for files that end in .${ending}`]
    : []
}

/** Corrects a pattern that found nothing because it uses the syntax of another grep. */
export function patternAdvice(pattern: string): readonly string[] {
  const hasEscapedBar = pattern.match(/\\./gs)?.includes('\\|') === true
  return hasEscapedBar ? ['\\| is a literal bar here: write alternatives as foo|bar'] : []
}

/** Whether a path is a folder that may be shown. */
async function isFolder(
  { artifacts, mayRead }: Workspace,
  path: string,
  signal: AbortSignal,
): Promise<boolean> {
  if (mayRead?.(path) === false) return false
  try {
    await artifacts.listDir(path, { signal, followLinks: false })
    return true
  } catch (error) {
    if (isSurvivable(error)) return false
    throw error
  }
}
