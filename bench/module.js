import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { sourceModule } from '../scripts/source-module.js'

const root = join(import.meta.dirname, '..')

/** Bundles a source file with its imports and loads it. */
export async function load(path) {
  const folder = mkdtempSync(join(tmpdir(), 'pipe-bench-'))
  try {
    const outfile = join(folder, 'module.mjs')
    await build({
      entryPoints: [join(root, path)],
      outfile,
      ...sourceModule,
    })
    return await import(outfile)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
