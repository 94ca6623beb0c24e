import { existsSync, readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { readTerms, termKey } from '../src/cli/terms/terms.ts'
import { DeclaredNames } from './support/declared-names.ts'

const root = join(import.meta.dirname, '..')
const terms = readTerms(readFileSync(join(root, 'docs/domain.md'), 'utf8'))
const rows = terms.flatMap(({ name, rows }) => rows.map((row) => ({ ...row, name })))
const ours = terms.filter(({ source }) => source === 'Words of our own').map(({ name }) => name)

let tree: Readonly<Record<string, string>>
let declared: DeclaredNames

beforeAll(async () => {
  const paths = (await readdir(join(root, 'src'), { recursive: true })).filter((path) => /\.tsx?$/.test(path))
  const texts = await Promise.all(paths.map((path) => readFile(join(root, 'src', path), 'utf8')))
  tree = Object.fromEntries(paths.map((path, i) => [path, texts[i] ?? '']))
  declared = new DeclaredNames(tree)
})

describe('docs/domain.md', () => {
  it('names something that the code declares in every row', () => {
    expect(rows.length).toBeGreaterThan(400)
    const faults = rows.filter(({ code }) => code.split(', ').some((identifier) => !declared.has(identifier)))
    expect(faults.map(({ name, term, code }) => `${name}, ${term}: ${code}`)).toEqual([])
  })

  it('names words of disk and wire that the code writes', () => {
    const words = new Set(Object.values(tree).flatMap((text) => text.match(/\b[a-z][a-z0-9_]*\b/g) ?? []))
    const faults = rows.filter(({ disk, wire }) =>
      [disk, wire].some((cell) => cell !== '' && cell.split(', ').some((word) => !words.has(word))),
    )
    expect(faults.map(({ name, term, disk, wire }) => `${name}, ${term}: ${disk} ${wire}`)).toEqual([])
  })

  it('explains every term in a sentence', () => {
    expect(terms.filter(({ about }) => about === '').map(({ name }) => name)).toEqual([])
  })

  it('lists our own words once, in the order of the alphabet', () => {
    expect(ours).toEqual([...ours].sort((a, b) => a.localeCompare(b, 'en')))
    const others = new Set(terms.filter(({ name }) => !ours.includes(name)).map(({ name }) => termKey(name)))
    expect(ours.filter((name) => others.has(termKey(name)))).toEqual([])
  })

  const seeds = process.env['PIPE_SEEDS'] ?? ''
  it
    .skipIf(seeds === '')
    .each([
      'pipe-domain-types',
      'gnoma-domain-model',
      'coauthor-domain-model',
      'sentinel-type-system',
      'structured-message-types',
    ])('has every type and every field of %s', (document) => {
    const path = join(seeds, `${document}.md`)
    expect(existsSync(path)).toBe(true)
    const wanted = namesDefined(readFileSync(path, 'utf8'))
    const own = terms.filter(({ source }) => source === document)
    const known = new Set(
      own.flatMap(({ name, rows }) => [name, ...rows.map(({ term }) => term)]).map(termKey),
    )
    expect(wanted.length).toBeGreaterThan(15)
    expect(wanted.filter((name) => !known.has(termKey(name)))).toEqual([])
  })
})

/** Matches what Go, TypeScript, Rust, a class diagram and a glossary define. */
const definitions = [
  /^type (\w+)/gm,
  /^(?:pub|export) (?:struct|enum|trait|type|interface|const) (\w+)/gm,
  /^\s{4}(?:pub )?([A-Za-z_]\w*) *\??: /gm,
  /^\s+([A-Z]\w*) +(?:\[\]|\*)?(?:string|int|bool|float64|any|map|time\.|json\.|Role|StopReason|MessageType|Usage|Message|ContentBlock|Tool|LLMMessage)\b/gm,
  /^ {4}([A-Z]\w+)(?:,| \{)/gm,
  /[{;] *([A-Z]\w*) +[a-z[]/g,
  /^ {2}(\w+)\??: /gm,
  /^ {2}(\w+)\([^)]*\)?:? /gm,
  /^\s*class (\w+) \{/gm,
  /^\s*\+(\w+)[:(]/gm,
  /^\| (\w+) \| [A-Z]/gm,
]

/** Names of parameters, and the head of a glossary. */
const noTerms = ['event', 'tasks', 'Term']

/** Lists the names that the code and the glossary of a document define. */
function namesDefined(document: string): readonly string[] {
  const text = document.replaceAll(/^\s*\|\n/gm, '')
  const code = Array.from(
    text.matchAll(/```(?:go|typescript|rust|mermaid)\n([\s\S]*?)```/g),
    ([, one]) => one,
  )
  const glossary = /## Glossary([\s\S]*?)\n## /.exec(text)?.[1] ?? ''
  const all = [...code, glossary].join('\n')
  const names = definitions.flatMap((like) => Array.from(all.matchAll(like), ([, name = '']) => name))
  return [...new Set(names)].filter((name) => !noTerms.includes(name))
}
