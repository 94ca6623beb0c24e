import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'

const root = join(import.meta.dirname, '..')
const read = (page: string) => readFileSync(join(root, page), 'utf8')
const pagesIn = (folder: string) =>
  readdirSync(join(root, folder)).flatMap((name) => (name.endsWith('.md') ? [join(folder, name)] : []))
const manual = ['README.md', ...pagesIn('docs')]
const all = [...manual, ...pagesIn('.').filter((page) => page !== 'README.md'), ...pagesIn('docs/decisions')]

/** Lists the links and pictures of a page that lead to files, as paths from the root with their parts of a page. */
function linksOf(page: string): readonly { readonly path: string; readonly part: string }[] {
  const text = read(page)
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/`[^`\n]*`/g, '')
  const found = text.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)
  return Array.from(found, ([, link, picture = '']) => link ?? picture)
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => {
      const [path = '', part = ''] = link.split('#')
      return { path: path === '' ? page : normalize(join(dirname(page), path)), part }
    })
}

/** The names of the parts of a page, as they stand in links. */
function partsOf(page: string): ReadonlySet<string> {
  const headings = Array.from(read(page).matchAll(/^#+ (.+)$/gm), ([, heading = '']) => heading)
  return new Set(
    headings.map((one) =>
      one
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}

/** The paths in the package, as npm would pack it. */
function packedPaths(): ReadonlySet<string> {
  const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
  })
  const file = z.object({ files: z.array(z.object({ path: z.string() })) })
  const packages = z.union([z.array(file), z.record(z.string(), file)]).parse(JSON.parse(output))
  return new Set(Object.values(packages).flatMap(({ files }) => files.map(({ path }) => path)))
}

describe('the links', () => {
  it.each(all)('of %s lead to files, and to parts that they have', (page) => {
    const dead = linksOf(page).filter(
      ({ path, part }) => !existsSync(join(root, path)) || (part !== '' && !partsOf(path).has(part)),
    )
    expect(dead).toEqual([])
  })

  it('lead to files of the package from all its pages', () => {
    const packed = packedPaths()
    const pages = manual.filter((page) => packed.has(page))
    expect(pages.length).toBeGreaterThan(25)
    const dead = pages.flatMap((page) =>
      linksOf(page).flatMap(({ path }) => (packed.has(path) ? [] : [`${page}: ${path}`])),
    )
    expect(dead).toEqual([])
  })

  it('of the index reach every page of the manual', () => {
    const listed = new Set(linksOf('docs/README.md').map(({ path }) => path))
    const others = ['README.md', 'docs/README.md', 'docs/ARCHITECTURE.md', 'docs/domain.md']
    expect(manual.filter((page) => !others.includes(page) && !listed.has(page))).toEqual([])
  })
})
