import { execFileSync } from 'node:child_process'
import { renameSync, rmSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '..')
const done = join(root, 'dist')
const draft = join(root, 'dist.tmp')

/**
 * Packages written as CommonJS call `require('fs')`, which an ES module does not have. The usual cure, a banner, would cost
 * every chunk an import; this costs only the package that asks.
 */
const requiredBuiltins = {
  name: 'required-builtins',
  setup(bundle) {
    bundle.onResolve({ filter: /^[a-z]/ }, ({ path, kind }) =>
      kind === 'require-call' && isBuiltin(path) ? { path, namespace: 'required-builtin' } : undefined,
    )
    bundle.onLoad({ filter: /.*/, namespace: 'required-builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)})`,
    }))
  },
}

/** Builds beside `dist` and swaps at the end, so that a build that fails leaves the last good one in place. */
async function main() {
  rmSync(draft, { recursive: true, force: true })
  try {
    await build({
      absWorkingDir: root,
      entryPoints: { cli: 'src/cli/main.ts', index: 'src/index.ts' },
      outdir: draft,
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node20.19',
      chunkNames: 'chunks/[name]-[hash]',
      loader: { '.md': 'text' },
      minifySyntax: true,
      minifyWhitespace: true,
      // A crash prints the line it happened in.
      lineLimit: 160,
      legalComments: 'none',
      logLevel: 'warning',
      plugins: [requiredBuiltins],
    })
    const tsc = join(root, 'node_modules', '.bin', 'tsc')
    execFileSync(tsc, ['-p', 'tsconfig.build.json', '--outDir', join(draft, 'types')], {
      cwd: root,
      stdio: 'inherit',
    })
    rmSync(done, { recursive: true, force: true })
    renameSync(draft, done)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

await main()
