import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (page: string) => readFileSync(join(root, page), 'utf8')
const tops = ['bench', 'bin', 'docs', 'findings', 'scripts', 'src', 'test']

/** All files and folders, relative to the root. */
const paths = new Set(
  tops.flatMap((top) => [
    top,
    ...readdirSync(join(root, top), { recursive: true, encoding: 'utf8' }).map((path) => `${top}/${path}`),
  ]),
)
for (const name of readdirSync(root)) paths.add(name)

const rooms = readdirSync(join(root, 'src'), { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
)

/** Whether a path exists: from the root or from `src`, with or without its ending; `*` stands for any characters but slashes. */
function exists(path: string): boolean {
  const bare = path.replace(/\/$/, '')
  const forms = [bare, `src/${bare}`].flatMap((form) => [form, `${form}.ts`, `${form}.tsx`])
  if (!bare.includes('*')) return forms.some((form) => paths.has(form))
  const pattern = bare
    .split('*')
    .map((part) => part.replaceAll('.', '\\.'))
    .join('[^/]*')
  return [...paths].some((one) => new RegExp(`^(src/)?${pattern}$`).test(one))
}

/** Lists the paths in backticks that lead into the repository: those that begin with a folder of the root or with a room. */
function pathsIn(page: string): readonly string[] {
  const first = new Set([...tops, ...rooms])
  return Array.from(page.matchAll(/`([\w.*-]+(?:\/[\w.*-]+)*\/?)`/g), ([, path = '']) => path).filter(
    (path) => path.includes('/') && first.has(path.slice(0, path.indexOf('/'))),
  )
}

describe.each(['AGENTS.md', 'CONTRIBUTING.md', 'docs/ARCHITECTURE.md'])('%s', (page) => {
  it('names only paths that exist', () => {
    const named = pathsIn(read(page))
    expect(named).not.toEqual([])
    expect(named.filter((path) => !exists(path))).toEqual([])
  })
})

describe('docs/ARCHITECTURE.md', () => {
  /** The paragraph of each room, by the name at its beginning. */
  const paragraphs = new Map(
    Array.from(
      read('docs/ARCHITECTURE.md').matchAll(/^\*\*`([\w/-]+)\/`\*\* ([\s\S]*?)(?=\n\n)/gm),
      ([, room = '', text = '']) => [room, text] as const,
    ),
  )

  it('has a paragraph on every room, and on no other', () => {
    const known = [...paragraphs.keys()]
    expect(rooms.filter((room) => !known.includes(room))).toEqual([])
    expect(known.filter((room) => !exists(`src/${room}`))).toEqual([])
  })

  it('names only parts that a room has', () => {
    const parts = [...paragraphs].flatMap(([room, text]) =>
      Array.from(text.matchAll(/`([\w-]+)\/`/g), ([, part = '']) => [room, part] as const),
    )
    expect(parts.length).toBeGreaterThan(30)
    expect(parts.filter(([room, part]) => !exists(`src/${room}/${part}`) && !rooms.includes(part))).toEqual(
      [],
    )
  })

  it('has short paragraphs', () => {
    const long = [...paragraphs].filter(([, text]) => text.length > 700).map(([room]) => room)
    expect(long).toEqual([])
  })
})

describe('AGENTS.md', () => {
  const [, tree = ''] = /```text\n([\s\S]*?)```/.exec(read('AGENTS.md')) ?? []

  /** The paths that the tree draws. A line may name several, and each indent of two is a folder. */
  function drawn(): readonly string[] {
    const above: string[] = []
    return tree
      .split('\n')
      .filter((line) => line.trim() !== '')
      .flatMap((line) => {
        const depth = line.search(/\S/) / 2
        const names = (line.trim().split(/ {2,}/)[0] ?? '').split(' ')
        above.length = depth
        const here = names.map((name) => [...above, name].join('/').replaceAll('//', '/'))
        above[depth] = names[0] ?? ''
        return here
      })
  }

  it('draws only what exists', () => {
    expect(drawn()).toContain('src/agent/turn/')
    expect(drawn().filter((path) => !exists(path))).toEqual([])
  })

  it('draws every room', () => {
    expect(rooms.filter((room) => !drawn().includes(`src/${room}/`))).toEqual([])
  })
})

it('CLAUDE.md leads to AGENTS.md', () => expect(read('CLAUDE.md')).toBe('@AGENTS.md\n'))
