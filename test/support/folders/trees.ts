import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc, { type Arbitrary } from 'fast-check'

/** Files by path. No folder has the name of a file. */
export type Tree = Readonly<Record<string, string | Uint8Array>>

const folders = ['', 'a', 'build', 'x.d', 'a/b', 'a/build', 'x.d/a', 'a/b/x.d', '.h']
const files = ['f.ts', 'g.js', 'h.log', 'F.ts', '.env', 'keep', 'keep.log', 'f.tsx']

const rules = [
  ...['*.log', 'build', 'build/', '/build', '/a/b', 'a/b', 'b/', '*.ts', '/*.ts', '/*', '*', '.*', 'keep'],
  ...['x.d/', 'x.d/**', '**/x.d', 'a/**/f.ts', '**/b/*.js', 'a/*', '?.ts', '[fg].*', '[!f].js', 'F.*', '.h/'],
  ...[
    '!keep',
    '!keep.log',
    '!build/',
    '!*.ts',
    '!/a',
    '!*/',
    '!f.ts',
    '# f.ts',
    '',
    'f.ts ',
    '\\!keep',
    'f.t\\s',
  ],
]

const anyRules = fc
  .array(fc.constantFrom(...rules), { minLength: 1, maxLength: 4 })
  .map((lines) => lines.join('\n'))

/** A folder that every tree has; `''` is the tree itself. */
export const anyFolder = fc.constantFrom(...folders)

/** Files in some folders, with ignore files about these names, and `.git` in some of `repositories`. */
export function anyTree(
  ignoreFiles: readonly string[],
  repositories: readonly string[] = [],
): Arbitrary<Tree> {
  const file = fc.tuple(anyFolder, fc.constantFrom(...files), fc.constant('hit\n'))
  const ignoreFile = fc.tuple(anyFolder, fc.constantFrom(...ignoreFiles), anyRules)
  const repository = fc.tuple(
    fc.constantFrom('', ...repositories),
    fc.constant('.git/config'),
    fc.constant(''),
  )
  return fc
    .tuple(
      fc.array(file, { minLength: 4, maxLength: 14 }),
      fc.array(ignoreFile, { maxLength: 4 }),
      fc.array(repository, { maxLength: repositories.length }),
    )
    .map((parts) =>
      Object.fromEntries(parts.flat().map(([folder, name, text]) => [join(folder, name), text])),
    )
}

/** Writes a tree with all its folders into a new one, removed after `use`. */
export async function inTree<Result>(tree: Tree, use: (root: string) => Promise<Result>): Promise<Result> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'pipe-tree-')))
  try {
    for (const folder of folders) await mkdir(join(root, folder), { recursive: true })
    for (const [path, content] of Object.entries(tree)) {
      await mkdir(dirname(join(root, path)), { recursive: true })
      await writeFile(join(root, path), content)
    }
    return await use(root)
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}
