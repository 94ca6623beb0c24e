import { readFileSync } from 'node:fs'

/** Replaces one piece of a module's text. Throws if it is missing, because the package has changed. */
function replace(source, piece, by) {
  if (!source.includes(piece)) throw new Error(`not found: ${piece}`)
  return source.replace(piece, () => by)
}

/** Compiles the layout engine when it is loaded. */
const compiled = `
function compiled() {
  const instantiateWasm = (imports, done) => {
    const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), imports)
    done(instance)
    return instance.exports
  }
  const assembly = { instantiateWasm }
  loadYoga(assembly)
  return assembly
}`

const changes = {
  'yoga-layout/dist/binaries/yoga-wasm-base64-esm.js': (source) => {
    const [data, base64] = /"data:application\/octet-stream;base64,([^"]+)"/.exec(source)
    const bytes = `\nexport const bytes = Buffer.from("${base64}", 'base64')`
    return replace(replace(source, 'import.meta.url', '""'), data, '""') + bytes
  },
  'yoga-layout/dist/src/index.js': (source) => {
    const loaded = replace(source, 'import loadYoga', 'import loadYoga, { bytes }')
    return replace(loaded, 'await loadYoga()', 'compiled()') + compiled
  },
  // Nobody uses React's development tools here.
  'ink/build/reconciler.js': (source) => {
    const alone = replace(source, "await import('./devtools.js')", 'undefined')
    return replace(alone, 'await loadPackageJson()', "{ name: 'ink', version: '' }")
  },
  // The terminal UI starts only on terminals, so CI makes no difference.
  'is-in-ci/index.js': () => 'export default false',
}

/**
 * Ink and its layout engine await WebAssembly and files at their top level. CommonJS cannot await, and a start should not, so this
 * plugin hands the results to them.
 */
export const inkAtOnce = {
  name: 'ink-at-once',
  setup(bundle) {
    for (const [file, change] of Object.entries(changes)) {
      const filter = new RegExp(`/node_modules/${file.replaceAll('.', '\\.')}$`)
      bundle.onLoad({ filter }, ({ path }) => ({ contents: change(readFileSync(path, 'utf8')) }))
    }
  },
}
