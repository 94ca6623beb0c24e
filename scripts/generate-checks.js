// Writes the checks of documents from their zod schemas, as functions that need no zod: it takes too long to load for a document
// without a fault. With --check, only reports whether the files are up to date.
import { readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { checkSource } from './check-source.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const bundle = `${root}node_modules/.checks-${process.pid}.mjs`

/**
 * Each file, the module of its schemas, and what it exports: the name of each check, its schema and its type. `functions`: modules of
 * the functions that these schemas call.
 */
const targets = [
  {
    file: 'src/json/documents/session-check.generated.ts',
    from: 'src/json/documents/schema.ts',
    functions: ['src/wire/json-check.ts', 'src/json/sessions/blobs.ts'],
    checks: [
      ['isDiskMessage', 'messageSchema', 'DiskMessage'],
      ['isDiskEnvelope', 'envelopeSchema', 'DiskEnvelope'],
    ],
  },
  {
    file: 'src/json/tasks/check.generated.ts',
    from: 'src/json/tasks/schema.ts',
    functions: ['src/wire/json-check.ts'],
    checks: [
      ['isDiskTaskEvent', 'taskEventSchema', 'DiskTaskEvent'],
      ['isDiskTaskView', 'taskViewSchema', 'DiskTaskView'],
    ],
  },
  {
    file: 'src/config/settings-check.generated.ts',
    from: 'src/config/settings-schema.ts',
    functions: ['src/wire/json-check.ts', 'src/config/actors.ts'],
    checks: [['isSettings', 'settingsSchema', 'Settings']],
  },
]

const isChecking = process.argv.includes('--check')
for (const [i, modules] of (await loadModules()).entries()) {
  const { file } = targets[i]
  const source = write(targets[i], modules)
  if (!isChecking) await writeFile(join(root, file), source)
  else if ((await readFile(join(root, file), 'utf8')) === source) console.log(`${file} is up to date`)
  else {
    console.error(`${file} is stale: run node scripts/generate-checks.js`)
    process.exitCode = 1
  }
}

/** Imports the schemas of each target, and the modules of their functions, from one bundle. */
async function loadModules() {
  const contents = targets.map(({ from, functions }) => {
    const loaded = [from, ...functions].map((path) => `await import('./${path}')`)
    return `[${loaded.join(', ')}]`
  })
  await build({
    stdin: { contents: `export default [${contents.join(', ')}]`, resolveDir: root, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    loader: { '.md': 'text' },
    outfile: bundle,
  })
  try {
    return (await import(pathToFileURL(bundle).href)).default
  } finally {
    await rm(bundle)
  }
}

function write({ file, from, functions, checks }, [schemas, ...modules]) {
  const places = new Map([['isJsonObject', 'src/json-value.ts']])
  const names = new Map()
  for (const [i, module] of modules.entries()) {
    for (const [name, value] of Object.entries(module)) {
      places.set(name, functions[i])
      if (typeof value === 'function') names.set(value, name)
    }
  }
  const wanted = checks.map(([name, schema, type]) => ({ name, schema: schemas[schema], type }))
  const { source, used } = checkSource(wanted, names)
  const types = checks.map(([, , type]) => type).join(', ')
  const lines = [...new Set(places.values())].flatMap((path) => {
    const found = [...used].filter((name) => places.get(name) === path)
    return found.length === 0 ? [] : [`import { ${found.join(', ')} } from '${pathFrom(file, path)}'`]
  })
  return `${lines.join('\n')}
import type { ${types} } from '${pathFrom(file, from)}'

// Written by scripts/generate-checks.js from ${relative(dirname(file), from)}. Accepts exactly what its schemas accept.

${source}`
}

function pathFrom(file, path) {
  const found = relative(dirname(file), path)
  return found.startsWith('.') ? found : `./${found}`
}
