import { posix } from 'node:path'

/** A line of a README below `test/`: the test of a family, and the source files of the family. Paths start at the root. */
interface FamilyLine {
  readonly readme: string
  readonly test: string
  /** Source files without their extension; a last `*` stands for all files of a folder. */
  readonly members: readonly string[]
}

/** The files of the tree, and the READMEs below `test/` by path. */
export interface Places {
  readonly files: readonly string[]
  readonly readmes: Readonly<Record<string, string>>
  /** Whether a source file holds types only, which `tsc` checks. */
  hasTypesOnly(file: string): boolean
}

/** Finds source files without a test of their name or a family, and lines that name what does not exist. Pure. Returns what to do. */
export function checkTestPlaces({ files, readmes, hasTypesOnly }: Places): readonly string[] {
  const tests = new Set(files.filter((file) => /^test\/.*\.test\.ts$/.test(file)))
  const sources = files.filter((file) => /^src\/.*\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
  const lines = Object.entries(readmes).flatMap(([readme, text]) => readFamilies(readme, text))
  const isOwn = (source: string) =>
    ['.test.ts', '.slow.test.ts'].some((end) =>
      tests.has(`${withoutEnd(source).replace('src/', 'test/')}${end}`),
    )
  const matches = (member: string, source: string) =>
    member.endsWith('*') ? source.startsWith(member.slice(0, -1)) : withoutEnd(source) === member
  const members = lines.flatMap((line) => line.members)
  const homeless = sources.filter(
    (source) => !isOwn(source) && !members.some((one) => matches(one, source)) && !hasTypesOnly(source),
  )
  return [
    ...homeless.map((source) => {
      const [, room = '', inside] = source.split('/')
      const own = `${withoutEnd(source).replace('src/', 'test/')}.test.ts`
      const readme = inside === undefined ? 'test/README.md' : `test/${room}/README.md`
      return `${source} has no test: write ${own}, or name it in ${readme} beside the test of its family`
    }),
    ...lines.flatMap(({ readme, test, members }) => [
      ...(tests.has(test) ? [] : [`${readme} names ${test}, which does not exist: correct the line`]),
      ...members
        .filter((one) => !sources.some((source) => matches(one, source)))
        .map((one) => `${readme} names ${one}, which does not exist: take it out`),
    ]),
  ]
}

/** Reads lines such as "- `share.test.ts`: `mailbox`, `calls/*`", with paths from the README's folder and the same one in `src/`. */
function readFamilies(readme: string, text: string): readonly FamilyLine[] {
  const folder = posix.dirname(readme)
  return [...text.matchAll(/^- `([^`]+\.test\.ts)`: (.+)$/gm)].map(([, test = '', names = '']) => ({
    readme,
    test: posix.join(folder, test),
    members: [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) =>
      posix.join(folder.replace('test', 'src'), name),
    ),
  }))
}

function withoutEnd(path: string): string {
  return path.replace(/\.tsx?$/, '')
}
