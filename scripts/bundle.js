import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { transform } from 'esbuild'
import { inkAtOnce } from './ink-at-once.js'
import { sdkHeaders } from './sdk-headers.js'

/** The repository. */
export const root = join(import.meta.dirname, '..')

/**
 * Packages written as CommonJS call `require('fs')`, which an ES module does not have. The usual fix, a banner, would cost
 * every chunk an import; this costs only the packages that need it.
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

/**
 * The grammars' runtime looks up its own file at import, although `loadGrammar` passes all paths. It also imports a module in a scope
 * that shadows `require`, which the import is compiled to.
 */
const grammarRuntime = {
  name: 'grammar-runtime',
  setup(bundle) {
    bundle.onLoad({ filter: /tree-sitter-wasm\/wasm\/tree-sitter\.js$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8')
      const patched = source.replaceAll('await import("module")', 'process.getBuiltinModule("node:module")')
      if (patched === source)
        throw new Error(`${path} is not as expected: see grammarRuntime in scripts/bundle.js`)
      return { contents: `const __filename = '/';${patched}` }
    })
  },
}

/** Removes a package's debug output for `DEBUG=…`, which users of this program do not need. */
const silentDebug = {
  name: 'silent-debug',
  setup(bundle) {
    bundle.onResolve({ filter: /^debug$/ }, ({ path }) => ({ path, namespace: 'silent-debug' }))
    bundle.onLoad({ filter: /.*/, namespace: 'silent-debug' }, () => ({
      contents: 'export default () => () => undefined',
    }))
  },
}

/**
 * Leaves out what the packages of MCP bring and pipe has no use for, more than half of their size: a validator of schemas, whose patterns
 * could block the process, and the cryptography of keys that identify a client.
 */
const smallProtocol = {
  name: 'small-protocol',
  setup(bundle) {
    const validator = /\/@modelcontextprotocol\/(client|server)\/dist\/ajvProvider-\w+\.mjs$/
    bundle.onLoad({ filter: validator }, () => ({ contents: 'export class n {}\nexport { n as t }' }))
    bundle.onResolve({ filter: /^jose$/ }, ({ path }) => ({ path, namespace: 'no-jose' }))
    bundle.onLoad({ filter: /.*/, namespace: 'no-jose' }, () => ({ contents: 'export {}' }))
  },
}

/** Shortens the names inside large packages that nobody debugs here: they are a third of their code. */
const shortNames = {
  name: 'short-names',
  setup(bundle) {
    const packages = [
      ...[
        'react-reconciler/cjs',
        'turndown/lib',
        '@mixmark-io/domino/lib',
        '@modelcontextprotocol',
        'zod/v4',
      ],
      ...[
        'highlight.js/es',
        'hono/dist',
        '@hono/node-server',
        'marked',
        'jsonc-parser',
        'smol-toml',
        'diff/libesm',
        'pg/lib',
      ],
      ...[
        'fast-glob/out',
        'micromatch',
        'braces',
        'picomatch',
        '@vscode/tree-sitter-wasm',
        'fastq',
        '@nodelib',
        'fill-range',
        'https-proxy-agent',
      ],
    ]
    const filter = new RegExp(`/node_modules/(${packages.join('|')})/.*\\.m?js$`)
    bundle.onLoad({ filter }, async ({ path }) => {
      const { code } = await transform(readFileSync(path, 'utf8'), { minifyIdentifiers: true })
      return { contents: code }
    })
  },
}

/** Options that turn the sources into the library, the program and the one-file build. */
export const shared = {
  absWorkingDir: root,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  loader: { '.md': 'text' },
  // Before `main`, because the CommonJS of some packages finds its own files at run time, out of the bundler's sight.
  mainFields: ['module', 'main'],
  // The first looks for its program beside itself, and may be absent. The second is never installed: `pg` asks for it by a variable only.
  external: ['@vscode/ripgrep', 'pg-native'],
  minifySyntax: true,
  minifyWhitespace: true,
  // A crash prints the whole line, so keep lines short.
  lineLimit: 160,
  legalComments: 'none',
  logLevel: 'warning',
  define: { 'process.env.NODE_ENV': '"production"' },
  plugins: [requiredBuiltins, grammarRuntime, silentDebug, smallProtocol, shortNames, inkAtOnce, sdkHeaders],
}

/** Holds grammars for many languages. */
export const grammarPackage = '@vscode/tree-sitter-wasm'

/** Copies the parser of bash to a folder. */
export function copyGrammar(folder) {
  const grammars = join(root, 'node_modules', grammarPackage, 'wasm')
  mkdirSync(join(folder, 'grammar'))
  for (const name of ['tree-sitter.wasm', 'tree-sitter-bash.wasm']) {
    copyFileSync(join(grammars, name), join(folder, 'grammar', name))
  }
}
