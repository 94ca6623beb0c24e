import { relative } from 'node:path'
import type { ChangedFile, WorktreeDiff } from '../../machine/worktree.ts'
import type { Shadow } from '../shadow.ts'
import { pathBatches } from '../tree/index-update.ts'

interface Comparison {
  readonly from: string
  readonly to: string
  /** The user's working folder, relative to the top; empty for the top itself. */
  readonly below: string
  /** Whether the text shows a renamed file as one, which fewer readers of diffs understand. Default: as a deleted and a new one. */
  readonly showsRenames?: boolean | undefined
}

/**
 * Compares two commits. Paths in the diff are relative to the working folder, or to the top of the project if some lie outside of the
 * folder.
 */
export async function diffWork(
  shadow: Shadow,
  { from, to, below, showsRenames = false }: Comparison,
): Promise<WorktreeDiff> {
  const commits = [from, to]
  const counts = await shadow.git(['diff', '--numstat', '-z', ...plain, ...commits])
  const files = counts.split('\0').flatMap(readCount)
  if (files.length === 0) return { text: '', files: [] }
  const isInside = files.every(({ path }) => below === '' || path.startsWith(`${below}/`))
  const prefix = below !== '' && isInside ? [`--relative=${below}/`] : []
  const diff = (paths: readonly string[], env: Environment = {}) =>
    shadow.git(
      [
        'diff',
        ...patch,
        showsRenames ? '--find-renames' : '--no-renames',
        ...prefix,
        ...commits,
        '--',
        ...paths,
      ],
      {
        env: { GIT_LITERAL_PATHSPECS: '1', ...env },
      },
    )
  const paths = files.map(({ path }) => path)
  return {
    text: await exactDiff(shadow, paths, diff),
    files: files.map((file) => ({ ...file, path: fromFolder(file.path, below) })),
  }
}

/** A path of the project as seen from the working folder. Both are relative to the top. */
export function fromFolder(path: string, below: string): string {
  return relative(`/${below}`, `/${path}`)
}

const plain = ['--no-color', '--no-ext-diff', '--no-textconv', '--no-renames', '--no-relative']

const patch = [
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--binary',
  '--full-index',
  '--src-prefix=a/',
  '--dst-prefix=b/',
]

type Environment = Readonly<Record<string, string>>
type Diff = (paths: readonly string[], env?: Environment) => Promise<string>

/** Shows files in another encoding than UTF-8 as binary ones: text would lose their bytes. */
async function exactDiff(shadow: Shadow, paths: readonly string[], diff: Diff): Promise<string> {
  const parts: string[] = []
  for (const batch of pathBatches(paths)) {
    const text = await diff(batch)
    if (isExact(text)) parts.push(text)
    else parts.push(...(await exactParts(shadow, batch, diff)))
  }
  return parts.join('')
}

/** Files that are text stay together, since a rename is two of them. */
async function exactParts(shadow: Shadow, batch: readonly string[], diff: Diff): Promise<readonly string[]> {
  const exact: string[] = []
  const others: string[] = []
  for (const path of batch) (isExact(await diff([path])) ? exact : others).push(path)
  const parts = exact.length === 0 ? [] : [await diff(exact)]
  for (const path of others) parts.push(await diff([path], await shadow.forBytes()))
  return parts
}

function isExact(text: string): boolean {
  return !text.includes('\uFFFD')
}

function readCount(record: string): readonly ChangedFile[] {
  const [, added = '', removed = '', path = ''] = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(record) ?? []
  if (path === '') return []
  const count = (text: string) => (text === '-' ? undefined : Number(text))
  return [{ path, added: count(added), removed: count(removed) }]
}
