import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { folderWith } from '../support/folders/folder.ts'
import { sized } from '../support/thorough.ts'

interface Written {
  readonly x: number
  readonly y: number
  readonly text: string
}

/** Ink's grid of a frame. */
interface Frame {
  write(x: number, y: number, text: string, options: { readonly transformers: readonly [] }): void
  get(): { readonly output: string; readonly height: number }
}

type NewFrame = new (size: { readonly width: number; readonly height: number }) => Frame

const root = join(import.meta.dirname, '../..')

/** Builds a module of a package as the program has it, or as the package has it, and returns its default export. */
async function builtFrom<T>(module: string, isChanged: boolean): Promise<T> {
  const folder = await folderWith({})
  const script: { readonly inkAtOnce: Plugin } = await import(
    pathToFileURL(join(root, 'scripts/ink-at-once.js')).href
  )
  const outfile = join(folder, `${isChanged}.mjs`)
  await build({
    entryPoints: [join(root, 'node_modules', module)],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    plugins: isChanged ? [script.inkAtOnce] : [],
  })
  const built: { readonly default: T } = await import(pathToFileURL(outfile).href)
  return built.default
}

const color = (code: number) => (text: string) => `\u001b[${code}m${text}\u001b[39m`
const word = fc.oneof(
  fc.string({ maxLength: 12 }).map((text) => text.replace(/\p{Cc}/gu, ' ')),
  fc.constantFrom('plain', '  ● read  a.ts', '漢字', '👩‍👩‍👧', 'é', '│ ─ ›', '', '   '),
)
const piece = fc.oneof(
  word,
  word.map(color(31)),
  word.map(color(90)),
  word.map((text) => `\u001b[1m${text}\u001b[22m`),
)
const text = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(''))
const written: fc.Arbitrary<Written> = fc.record({
  x: fc.nat(6),
  y: fc.nat(4),
  text: fc.array(text, { minLength: 1, maxLength: 3 }).map((rows) => rows.join('\n')),
})

it('lays out every frame as the unchanged package does', async () => {
  const output = 'ink/build/output.js'
  const [Changed, Unchanged] = [
    await builtFrom<NewFrame>(output, true),
    await builtFrom<NewFrame>(output, false),
  ]
  const laidOut = (Grid: NewFrame, frame: readonly Written[]) => {
    const grid = new Grid({ width: 30, height: 6 })
    for (const one of frame) grid.write(one.x, one.y, one.text, { transformers: [] })
    return grid.get()
  }
  fc.assert(
    // Frames of one run, so that rows of the last one are found again.
    fc.property(fc.array(fc.array(written, { maxLength: 6 }), { minLength: 1, maxLength: 4 }), (frames) => {
      for (const frame of frames) expect(laidOut(Changed, frame)).toEqual(laidOut(Unchanged, frame))
    }),
    { numRuns: sized(300, 60) },
  )
})

it('measures every text as the unchanged package does', async () => {
  type Measure = (text: string, options?: { readonly ambiguousIsNarrow: boolean }) => number
  const [changed, unchanged] = [
    await builtFrom<Measure>('string-width/index.js', true),
    await builtFrom<Measure>('string-width/index.js', false),
  ]
  const all = Array.from({ length: 0x3000 }, (_, code) => String.fromCodePoint(code))
  expect(all.map((one) => changed(one))).toEqual(all.map((one) => unchanged(one)))
  fc.assert(
    fc.property(
      fc.oneof(
        text,
        fc.string({ unit: 'grapheme' }),
        fc.array(fc.constantFrom(...all)).map((some) => some.join('')),
      ),
      fc.boolean(),
      (one, ambiguousIsNarrow) => {
        const options = { ambiguousIsNarrow }
        expect([one, changed(one, options)]).toEqual([one, unchanged(one, options)])
      },
    ),
    { numRuns: sized(2_000, 400) },
  )
})

it('strips the same sequences as the unchanged package does', async () => {
  const module = 'ink/build/sanitize-ansi.js'
  const [changed, unchanged] = [
    await builtFrom<(text: string) => string>(module, true),
    await builtFrom<(text: string) => string>(module, false),
  ]
  const sign = fc.constantFrom(
    '\u001b',
    '\u001b[',
    '\u009b',
    '\u001b]',
    '1',
    ';',
    ':',
    '?',
    ' ',
    'm',
    'K',
    '\u0007',
  )
  const sequence = fc.array(sign, { minLength: 2, maxLength: 4 }).map((signs) => signs.join(''))
  const mixed = fc.array(fc.oneof(text, sequence), { maxLength: 4 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(mixed, (one) => {
      expect([one, changed(one)]).toEqual([one, unchanged(one)])
    }),
    { numRuns: sized(2_000, 400) },
  )
})
