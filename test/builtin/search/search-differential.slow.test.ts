import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/json-value.ts'
import { anyFolder, anyTree, inTree } from '../../support/folders/trees.ts'
import { root } from '../../support/programs/world.ts'
import { createToolbox, path, type Toolbox } from '../toolbox.ts'
import { packaged, ripgrep, searchers } from './searchers.ts'

/** Some hundred real files. */
const tree = join(root, 'node_modules/zod/src/v4')

const searches: readonly { readonly args: JsonObject; readonly flags: readonly string[] }[] = [
  { args: { pattern: 'ZodPipe<' }, flags: ['ZodPipe<'] },
  { args: { pattern: 'export.*prefault\\b', context: 2 }, flags: ['export.*prefault\\b', '-C2'] },
  { args: { pattern: 'TUPLE.*REST', ignore_case: true }, flags: ['-i', 'TUPLE.*REST'] },
  { args: { pattern: 'ZodPipe<', glob: '*.test.ts' }, flags: ['ZodPipe<', '-g*.test.ts'] },
  {
    args: { pattern: '\\berror\\b', glob: 'core/**/{a,s}*.ts' },
    flags: ['\\berror\\b', '-gcore/**/{a,s}*.ts'],
  },
  { args: { pattern: 'ZodPipe<', glob: '!**/*.test.ts' }, flags: ['ZodPipe<', '-g!*.test.ts'] },
  { args: { pattern: 'zod', type: 'ts' }, flags: ['zod', '-g*.ts'] },
  { args: { pattern: 'globalRegistry', output: 'files' }, flags: ['globalRegistry', '-l'] },
  { args: { pattern: '\\bwhile\\b', output: 'count' }, flags: ['\\bwhile\\b', '-c'] },
  {
    args: { pattern: 'catch \\(\\w+\\) \\{\\n\\s+throw' },
    flags: ['-U', 'catch \\(\\w+\\) \\{\\n\\s+throw'],
  },
]

for (const { name, ripgreps, missing } of searchers) {
  describe.skipIf(missing || ripgrep === undefined)(`grep with ${name} finds the same as a bare rg`, () => {
    let toolbox: Toolbox
    beforeAll(async () => {
      toolbox = await createToolbox({ PATH: path }, { ripgreps })
    })
    afterAll(() => toolbox.close())

    it.each(searches)('for $args', async ({ args, flags }) => {
      const options = [
        '--no-config',
        '--no-ignore',
        '--hidden',
        '--sort=path',
        '--no-heading',
        '--with-filename',
      ]
      const lines = flags.some((flag) => flag === '-l' || flag === '-c') ? [] : ['--line-number']
      const run = spawnSync(ripgrep ?? '', [...options, ...lines, ...flags, '--', './'], { cwd: tree })
      const expected = run.stdout.toString().trimEnd().split('\n')
      expect(expected.length).toBeGreaterThan(1)
      const { text } = await toolbox.call('grep', { ...args, path: tree })
      expect(text.split('\n')).toEqual(shortened(expected.map((line) => line.replace('./', `${tree}/`))))
    })
  })
}

/** Calls the tools without ripgrep, and with the packaged one. */
async function withBoth(use: (script: Toolbox, bare: Toolbox) => Promise<void>): Promise<void> {
  const script = await createToolbox({ PATH: path }, { ripgreps: [] })
  const bare = await createToolbox({ PATH: path }, { ripgreps: packaged })
  try {
    await use(script, bare)
  } finally {
    await Promise.all([script.close(), bare.close()])
  }
}

/** A line has at most 500 characters, a result 100 lines; searches with context have fewer. */
function shortened(lines: readonly string[]): readonly string[] {
  const cut = lines.map((line) => line.replace(/^(.+?:\d+:.{500}).+$/, '$1…'))
  if (lines.includes('--') || lines.length <= 100) return cut
  return [...cut.slice(0, 100), '[there is more; narrow it with path, glob or type]']
}

describe.skipIf(packaged.length === 0)('in any tree', () => {
  const globs = [
    ...[
      undefined,
      undefined,
      '*.ts',
      '**/*.ts',
      'a/**',
      'a/*',
      '!*.ts',
      '*/*.ts',
      '*.{ts,js}',
      '!a',
      './*.ts',
    ],
    ...['{a,build}/**/*.ts', '?.ts', 'a/b/f.ts', '[fg].*', '.*', '!build/**', '**/build/**', 'a*/'],
    ...['*.js,*.ts', 'a/*.ts *.js'],
  ]
  const anyRequest = fc.record({
    folder: anyFolder,
    glob: fc.constantFrom(...globs),
    type: fc.constantFrom(undefined, undefined, 'ts'),
  })
  const ignoreFiles = ['.gitignore', '.gitignore', '.gitignore', '.ignore', '.rgignore']

  it('JavaScript finds the same files as ripgrep, in the same order', async () => {
    await withBoth(async (script, bare) => {
      const property = fc.asyncProperty(
        anyTree(ignoreFiles, ['', 'a', 'x.d']),
        anyRequest,
        async (files, { folder, glob, type }) => {
          await inTree(files, async (at) => {
            const args = JSON.parse(
              JSON.stringify({ pattern: 'hit', output: 'files', path: join(at, folder), glob, type }),
            )
            expect(await script.call('grep', args)).toEqual(await bare.call('grep', args))
          })
        },
      )
      await fc.assert(property, { numRuns: 25 })
    })
  })

  const patterns = [
    ...['a', '^a', 'b$', 'a.b', '[ab]+$', 'A', '→', '\\bb\\b', 'a|b', 'b\\s*a', 'a\\nb', '(?s)a.b', 'a\\s+b'],
    ...['(?=a)ab', '(a)\\1', '(?i)AB', '[^a]b', '\\d', '\\w+ ', 'a{2}', '\\S\\n\\S'],
    ...['\\Aa', 'b\\z', '[[:digit:]]+', '\\pL+\\d', '\\x{61}b', '(?P<x>a)b', '(?i:AB)', '[^\\w\\s]', '\\Ba'],
    ...['(?i)b|A', '(?<=a)b', 'b\\n+a', '[^\\n]\\n$', 'a.*?b', 'b$|a'],
  ]

  /** Patterns that are tried in one tree. */
  const together = 6
  const groups = patterns.flatMap((_, i) =>
    i % together === 0 ? [[patterns.slice(i, i + together)] as const] : [],
  )

  // The files of a count are those of the output `files`.
  it.each(groups)('JavaScript finds the same lines as ripgrep with %j', async (some) => {
    const ends = ['', '\n', '\r\n', '\n\n', '\n a', '\r\nb\n']
    const lines = ['a', 'ab', 'ba', 'AB', ' a b', 'aab1', '→b', '😀a', '']
    const contents = lines.flatMap((line) => ends.map((end) => line + end))
    const files = Object.fromEntries(contents.map((content, i) => [`f${i}`, content]))
    await withBoth(async (script, bare) => {
      await inTree(files, async (path) => {
        for (const pattern of some) {
          for (const multiline of [false, true]) {
            const args = { pattern, multiline, output: 'count', path }
            expect(await script.call('grep', args), pattern).toEqual(await bare.call('grep', args))
          }
        }
      })
    })
  })

  it('JavaScript finds the same lines as ripgrep', async () => {
    const long = ['é'.repeat(150), '😀'.repeat(120)]
    const short = ['a', 'b', 'ab', 'A', '→', ' ', '\n', '\n', '1', '😀', 'b a', '\n\n']
    const piece = fc.constantFrom(...short, ...short, ...long)
    const anyText = fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join(''))
    const anyContent = fc
      .tuple(anyText, fc.constantFrom('utf8', 'utf16', 'crlf', 'binary'))
      .map(([text, kind]) => {
        if (kind === 'utf16') return Buffer.from(`\ufeff${text}`, 'utf16le')
        if (kind === 'crlf') return text.replaceAll('\n', '\r\n')
        return kind === 'binary' ? `${text}\0${text}` : text
      })
    const anySearch = fc.record({
      pattern: fc.constantFrom(...patterns),
      output: fc.constantFrom('lines', 'files', 'count'),
      multiline: fc.boolean(),
      ignore_case: fc.boolean(),
      context: fc.nat(2),
    })
    await withBoth(async (script, bare) => {
      const anyFiles = fc.array(anyContent, { minLength: 1, maxLength: 4 })
      const property = fc.asyncProperty(anyFiles, anySearch, async (contents, search) => {
        const files = Object.fromEntries(contents.map((content, i) => [`f${i}`, content]))
        await inTree(files, async (at) => {
          const args = { ...search, path: at }
          expect(await script.call('grep', args)).toEqual(await bare.call('grep', args))
        })
      })
      await fc.assert(property, { numRuns: 25 })
    })
  })
})
