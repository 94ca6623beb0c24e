import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { build, transform } from 'esbuild'
import { buildPage } from './build-page.js'
import { copyGrammar, grammarPackage, root, shared } from './bundle.js'
import { Licences } from './licences.js'

const { signed, startFile } = createRequire(import.meta.url)('../bin/chunks.js')
const done = join(root, 'dist')
const draft = join(root, `dist.tmp-${process.pid}`)
/** The source of each entry point of the package, by its name in `exports`: `index` is the package itself. */
const libraryEntries = JSON.parse(readFileSync(join(import.meta.dirname, 'library-entries.json'), 'utf8'))

const licences = new Licences()
const plugins = [...shared.plugins, licences.plugin]

/** The entry points of the package, as ES modules. */
function buildLibrary() {
  return build({
    ...shared,
    plugins,
    minifyIdentifiers: true,
    entryPoints: libraryEntries,
    outdir: draft,
    chunkNames: 'library/[name]-[hash]',
  })
}

/**
 * Node starts CommonJS faster (measured: a quarter of a bare start). An `import()` becomes a `require` that runs when reached. Names are
 * shortened: they are a tenth of the package.
 */
const commonJs = {
  minifyIdentifiers: true,
  format: 'cjs',
  platform: 'node',
  target: shared.target,
  supported: { 'dynamic-import': false },
  minifySyntax: true,
  minifyWhitespace: true,
  lineLimit: shared.lineLimit,
}

/**
 * Bundles the program, split at its dynamic imports. Returns chunks by name: the text of each, an ES module, as esbuild splits no
 * others, the names of its exports, and its imports.
 */
async function buildChunks() {
  const { outputFiles, metafile } = await build({
    ...shared,
    plugins,
    entryPoints: { cli: 'src/cli/main.ts' },
    outdir: join(draft, 'cli'),
    chunkNames: '[name]-[hash]',
    write: false,
  })
  return new Map(
    outputFiles.map(({ path, text }) => {
      const { exports, imports } = metafile.outputs[relative(root, path)]
      return [basename(path), { text, exports, imports }]
    }),
  )
}

async function buildProgram() {
  const folder = join(draft, 'cli')
  const chunks = await buildChunks()
  mkdirSync(folder, { recursive: true })
  for (const [name, { text }] of chunks) {
    writeChunk(join(folder, name), (await transform(text, commonJs)).code)
  }
  await prepareStarts(folder, chunks)
}

/** Makes the program start faster in the usual ways. The program also works without it. */
async function prepareStarts(folder, chunks) {
  const home = mkdtempSync(join(tmpdir(), 'pipe-warm-'))
  const warm = (task, way) => runWarm([folder, home, task, way])
  try {
    await packStart(folder, chunks, warm('list', 'prompt'))
    await packContinued(folder, chunks, warm('list', 'continue'))
    for (const way of ['calls', 'continue', 'anthropic', 'recall', 'terminal']) warm('cache', way)
  } catch (error) {
    console.warn(`build: could not prepare a faster start: ${error.message}`)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/**
 * Joins the chunks that every run begins with, so that they find each other without `require` (measured: a fifth of a bare start
 * less than 70 of them). Where a chunk is loaded later, from here or elsewhere, the loader finds its exports in the table `chunks`.
 */
async function packStart(folder, chunks, list) {
  const names = namesIn(list, chunks)
  const offered = new Set(['cli.js', ...importedLater(names, chunks)])
  const parts = names.map((name, i) => partOf(name, offered.has(name) ? chunks.get(name).exports : [], i))
  const tables = parts.filter(({ name }) => offered.has(name)).map(({ table }) => table)
  const contents = `${parts.map((part) => part.statement).join('\n')}\nexport const chunks = { ${tables.join(', ')} }`
  const packed = await pack(contents, names, chunks, isLater)
  const id = createHash('sha256').update(packed).digest('hex')
  writeChunk(join(folder, startFile), packed, (text) => signed(id, text))
  for (const name of names) rmSync(join(folder, name))
}

function isLater({ kind }) {
  return kind === 'dynamic-import'
}

/** Returns the names of what other chunks than these import, and of what these import later. */
function importedLater(names, chunks) {
  return [...chunks].flatMap(([name, { imports }]) =>
    imports
      .filter((imported) => isLater(imported) || !names.includes(name))
      .map(({ path }) => basename(path)),
  )
}

/** Writes the statement that imports these exports of a chunk, and a property: a function that returns them when they are asked for. */
function partOf(name, exports, number) {
  const ids = exports.map((id) => [id, `of${number}_${id}`])
  const getters = ids.map(([id, own]) => `get ${id}() { return ${own} }`)
  return {
    name,
    statement: `import { ${ids.map(([id, own]) => `${id} as ${own}`).join(', ')} } from './${name}'`,
    table: `'${name}': () => ({ ${getters.join(', ')} })`,
  }
}

/** Joins the chunks that a continued run loads later in the first of them. The others stay, as commands load them too. */
async function packContinued(folder, chunks, list) {
  const names = namesIn(list, chunks)
  const [first] = names
  writeChunk(join(folder, first), await pack(`export * from './${first}'`, names, chunks))
}

/** Returns the chunks of a list of files, in its order. */
function namesIn(list, chunks) {
  return list.split('\n').filter((line) => chunks.has(line))
}

/** Bundles a module with these chunks, except for imports that stay as they are. Returns CommonJS. */
async function pack(contents, names, chunks, stays = () => false) {
  const { outputFiles } = await build({
    ...commonJs,
    stdin: { contents, resolveDir: '/' },
    bundle: true,
    write: false,
    plugins: [onlyThese(names, chunks, stays)],
  })
  return outputFiles[0].text
}

/** Writes a chunk as `bin/chunks.js` loads it: as one byte per character, which is why a pattern must be written with escapes. */
function writeChunk(file, commonJsText, finish = (text) => text) {
  const [, foreign] = /(.{0,40}[^\0-\x7f].{0,20})/.exec(commonJsText) ?? []
  if (foreign !== undefined) throw new Error(`${file} is not ASCII: ${foreign}`)
  writeFileSync(file, finish(`(function(exports,require,module){${commonJsText}\n})`))
}

/** Bundles these chunks, and leaves the others and the imports that stay as they are. */
function onlyThese(names, chunks, stays) {
  return {
    name: 'only-these',
    setup(bundle) {
      bundle.onResolve({ filter: /^\.\// }, (imported) => {
        const name = basename(imported.path)
        const isJoined = names.includes(name) && !stays(imported)
        return isJoined ? { path: name, namespace: 'chunk' } : { path: imported.path, external: true }
      })
      bundle.onLoad({ filter: /.*/, namespace: 'chunk' }, ({ path }) => ({ contents: chunks.get(path).text }))
    },
  }
}

/** Runs the program once in its own process (see `warm.js`). Returns its output. */
function runWarm(args) {
  const script = args.includes('terminal') ? 'warm-terminal.js' : 'warm.js'
  return execFileSync(process.execPath, [join(root, 'scripts', script), ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 30_000,
  })
}

function buildTypes() {
  const tsc = join(root, 'node_modules', '.bin', 'tsc')
  execFileSync(tsc, ['-p', 'tsconfig.build.json', '--outDir', join(draft, 'types')], {
    cwd: root,
    stdio: 'inherit',
  })
  keepPublicTypes(join(draft, 'types'))
}

/** Removes the types of files that the public API does not mention. */
function keepPublicTypes(folder) {
  const entries = Object.values(libraryEntries).map((file) => file.replace(/^src\/(.*)\.ts$/, '$1.d.ts'))
  const kept = new Set(entries.map((file) => join(folder, file)))
  for (const file of kept) {
    for (const [, path] of readFileSync(file, 'utf8').matchAll(/(?:from |import\()['"](\.[^'"]+)\.ts['"]/g)) {
      kept.add(join(dirname(file), `${path}.d.ts`))
    }
  }
  for (const name of readdirSync(folder, { recursive: true })) {
    const file = join(folder, name)
    if (name.endsWith('.d.ts') && !kept.has(file)) rmSync(file)
  }
}

/** Replaces `dist` with the draft, even if another build is doing the same. */
function swap() {
  const old = `${draft}-old`
  try {
    renameSync(done, old)
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
  try {
    renameSync(draft, done)
  } catch (error) {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
  }
  rmSync(old, { recursive: true, force: true })
}

/** Builds beside `dist` and swaps at the end, so that a build that fails leaves the last good one in place. */
async function main() {
  rmSync(draft, { recursive: true, force: true })
  try {
    await buildLibrary()
    await buildProgram()
    copyGrammar(draft)
    licences.add(grammarPackage)
    await buildPage(root, draft, [licences.plugin])
    licences.write(draft)
    buildTypes()
    swap()
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

await main()
