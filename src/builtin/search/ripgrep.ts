import { hasCode } from '../../error.ts'
import { walk } from '../../files/walk/walk.ts'
import { limits } from '../tool-limits.ts'
import type { Workspace } from '../workspace.ts'
import type { SearchHit, SearchRequest } from './found-line.ts'
import { nameGlob } from './glob-pattern.ts'
import { type Hits, runRipgrep } from './ripgrep-run.ts'
import { countLines, shownLines, verifiedHits } from './verified-lines.ts'

/** The ripgrep programs in the order to try: the packaged one, if installed, then the one on the machine. */
export async function ripgreps(): Promise<readonly string[]> {
  const packaged = await import('@vscode/ripgrep').catch(() => undefined)
  return packaged === undefined ? ['rg'] : [packaged.rgPath, 'rg']
}

/** Whether an error means that this machine cannot run such a program. */
export function isMissing(error: unknown): boolean {
  return hasCode(error, 'tool')
}

/**
 * Searches the files that `walk` finds with a ripgrep, ordered by path and line. Skips files with a NUL. Reports only lines that are in
 * the files. Throws `tool` if the program cannot start, and `invalid` for a bad regular expression or an unknown type.
 */
export async function* ripgrep(
  program: string,
  workspace: Workspace,
  request: SearchRequest,
): AsyncGenerator<SearchHit> {
  if (!request.isFolder && (await isBinaryFile(workspace, request))) return
  const wanted = await filesByGlob(request)
  if (wanted?.size === 0) return
  const isWanted = (path: string) => wanted?.has(path) !== false && workspace.mayRead?.(path) !== false
  const hits = only(isWanted, runRipgrep(program, workspace, request))
  const verified = verifiedHits(hits, request.signal)
  yield* request.output === 'lines' ? withoutBinary(shownLines(verified)) : countLines(verified)
}

/** Drops lines of unwanted files. Checks each file once. */
async function* only(
  isWanted: (path: string) => boolean,
  batches: AsyncGenerator<Hits>,
): AsyncGenerator<Hits> {
  let last = { path: '', isWanted: false }
  for await (const hits of batches) {
    yield hits.filter((hit) => {
      if (hit !== undefined && hit.path !== last.path) last = { path: hit.path, isWanted: isWanted(hit.path) }
      return last.isWanted
    })
  }
}

/** The files that match a glob which ripgrep would read differently, or let override the ignore files. */
async function filesByGlob(request: SearchRequest): Promise<ReadonlySet<string> | undefined> {
  const { root, glob, type, isFolder, signal } = request
  if (!isFolder || glob === undefined) return undefined
  if (type === undefined && nameGlob(glob) !== undefined) return undefined
  const paths = new Set<string>()
  for await (const path of walk(root, { pattern: glob, signal })) paths.add(path)
  return paths
}

/** Whether a named file is binary: ripgrep would search it anyway. */
async function isBinaryFile({ artifacts }: Workspace, { root, signal }: SearchRequest): Promise<boolean> {
  const bytes = await artifacts.readFile(root, { maxBytes: limits.searchBytes, signal, followLinks: false })
  const mark = Buffer.from(bytes.subarray(0, 2)).toString('hex')
  return mark !== 'fffe' && mark !== 'feff' && bytes.includes(0)
}

/** Drops the findings of binary files, which show only when the search reaches a NUL. */
async function* withoutBinary(findings: AsyncGenerator<SearchHit | undefined>): AsyncGenerator<SearchHit> {
  let held: SearchHit[] = []
  for await (const finding of findings) {
    if (finding === undefined) held = []
    else {
      if (held[0]?.path !== finding.path || held.length > limits.searchResults) {
        yield* held
        held = []
      }
      held.push(finding)
    }
  }
  yield* held
}
