// Writes src/builtin/parameters.json: the arguments of the built-in tools as the JSON Schema that models see.
// With --check, only reports whether that file is up to date.
import { readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const target = `${root}src/builtin/parameters.json`
const bundle = `${root}node_modules/.tool-arguments-${process.pid}.mjs`

const generated = `${JSON.stringify(await parameters(), null, 2)}\n`
if (!process.argv.includes('--check')) {
  await writeFile(target, generated)
} else if (sameJson(await readFile(target, 'utf8'), generated)) {
  console.log('src/builtin/parameters.json is up to date')
} else {
  console.error('src/builtin/parameters.json is stale: run node scripts/generate-tool-schemas.js')
  process.exitCode = 1
}

async function parameters() {
  const source = `import * as schemas from './src/builtin/arguments.ts'
    import { toJSONSchema } from 'zod'
    export default Object.entries(schemas).map(([name, schema]) => [name, toJSONSchema(schema())])`
  await build({
    stdin: { contents: source, resolveDir: root, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: bundle,
  })
  try {
    const { default: schemas } = await import(pathToFileURL(bundle).href)
    return Object.fromEntries(schemas.map(([name, schema]) => [name, lean(schema)]))
  } finally {
    await rm(bundle)
  }
}

/** Drops the parts that tell a model nothing. */
function lean({ type, enum: values, description, items, properties, required = [] }) {
  const fields = properties && {
    properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, lean(field)])),
    required,
  }
  return { type, enum: values, description, items: items && lean(items), ...fields }
}

function sameJson(a, b) {
  return JSON.stringify(JSON.parse(a)) === JSON.stringify(JSON.parse(b))
}
