import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const digits = (number: number) => String(number).padStart(4, '0')

/** Three special files among many, newest first. */
export const needles: readonly string[] = ['d00/e0/f0.ts', 'd42/e7/f3.ts', 'flat/1234.txt']

/**
 * Fills a folder with 10,000 one-line files: 8,000 in `d00/e0/` to `d79/e9/`, ten each, and 2,000 in `flat/`; plus 500 that its
 * `.gitignore` excludes. `needles` have a second line, `a needle`. Returns the paths of the 10,000, sorted.
 */
export function putManyFiles(folder: string): readonly string[] {
  const nested = Array.from({ length: 8_000 }, (_, i) => {
    const [a, b, c, d] = digits(i)
    return `d${a}${b}/e${c}/f${d}.ts`
  })
  const paths = [...nested, ...Array.from({ length: 2_000 }, (_, i) => `flat/${digits(i)}.txt`)]
  const ignored = Array.from({ length: 500 }, (_, i) => (i % 2 === 0 ? `out/${i}.ts` : `d00/e0/${i}.log`))
  putFiles(folder, [...paths, ...ignored], 'a row\n')
  for (const [i, needle] of needles.entries()) {
    writeFileSync(join(folder, needle), 'a row\na needle\n')
    utimesSync(join(folder, needle), new Date('2100-01-01'), new Date(`210${9 - i}-01-01`))
  }
  writeFileSync(join(folder, '.gitignore'), 'out/\n*.log\n')
  return paths
}

/** Writes the same text into many files and creates their folders. */
export function putFiles(folder: string, paths: readonly string[], content: string): void {
  for (const one of new Set(paths.map(dirname))) mkdirSync(join(folder, one), { recursive: true })
  for (const path of paths) writeFileSync(join(folder, path), content)
}
