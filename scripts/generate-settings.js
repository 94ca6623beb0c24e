// Writes the table of all settings, docs/settings.md, from their schema. With --check, only reports whether it is up to date.
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import * as z from 'zod'
import { meanings } from './setting-meanings.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const page = join(root, 'docs', 'settings.md')

/** Loads the schema of settings from a bundle of its own. */
async function loadSchema() {
  const bundle = join(root, 'node_modules', `.settings-${process.pid}.mjs`)
  await build({
    entryPoints: [join(root, 'src/config/settings-schema.ts')],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    loader: { '.md': 'text' },
    outfile: bundle,
  })
  try {
    return (await import(pathToFileURL(bundle).href)).settingsSchema
  } finally {
    await rm(bundle)
  }
}

/** Lists the settings of a JSON Schema, each with its node. `NAME` stands for a name that the user chooses. */
function settingsOf({ properties = {}, additionalProperties: other }, at = []) {
  const named = Object.entries(properties)
  const all = typeof other === 'object' ? [...named, ['NAME', other]] : named
  return all.flatMap(([name, node]) => {
    const key = [...at, name]
    const below = node.type === 'object' ? settingsOf(node, key) : []
    return below.length > 0 ? below : [{ key: key.join('.'), node }]
  })
}

function typeOf(node) {
  if (node.enum !== undefined) return node.enum.join(', ')
  if (node.const !== undefined) return JSON.stringify(node.const)
  if (node.anyOf !== undefined) return [...new Set(node.anyOf.map(typeOf))].join(' or ')
  if (node.type === 'array') {
    const { enum: words, anyOf } = node.items
    return words === undefined && anyOf === undefined
      ? `list of ${typeOf(node.items)}s`
      : `list of: ${typeOf(node.items)}`
  }
  return { boolean: 'true or false', string: 'text', integer: 'whole number' }[node.type] ?? node.type
}

const settings = settingsOf(z.toJSONSchema(await loadSchema(), { io: 'input' }))
const unexplained = settings.filter(({ key }) => meanings[key] === undefined).map(({ key }) => key)
const gone = Object.keys(meanings).filter((key) => !settings.some((one) => one.key === key))
if (unexplained.length + gone.length > 0)
  throw new Error(
    `scripts/setting-meanings.js lacks ${unexplained.join(', ') || 'nothing'}, and explains in vain ${gone.join(', ') || 'nothing'}`,
  )

const rows = settings.map(({ key, node }) => {
  const [usual, meaning] = meanings[key]
  return `| \`${key}\` | ${typeOf(node)} | ${usual} | ${meaning} |`
})
const text = `# Settings

Every key of \`config.json\`, with its type, its default and its meaning. [configuration.md](configuration.md) explains them, and which of them a project
may set. \`NAME\` stands for a name that you choose. \`pipe config set KEY VALUE\` sets one.

| key | type | default | meaning |
| --- | --- | --- | --- |
${rows.join('\n')}
`
const isChecking = process.argv.includes('--check')
if (!isChecking) await writeFile(page, text)
else if ((await readFile(page, 'utf8')) === text) console.log('docs/settings.md is up to date')
else {
  console.error('docs/settings.md is stale: run node scripts/generate-settings.js')
  process.exitCode = 1
}
