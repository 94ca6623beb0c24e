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

/** Texts that a cache of Ink keeps, which are more than the rows of most frames. */
const kept = 200

/** Clusters of these characters are single ones of one column, which need no segmenter. */
const narrow = String.raw`\x20-\x7e\xa1-\xac\xae-\u02ff\u2010-\u2027\u2030-\u203a\u2190-\u21ff\u2500-\u25fc\u276f\u2800-\u28ff`
const single = String.raw`/^[\x1b${narrow}]*$/`

const plain = String.raw`/^[\x20-\x7e\xa1-\xac\xae-\u02ff]*$/`

const coloured = String.raw`
const coloured = /^(?:[^\x1b\x80-\x9f]|\x1b\[[\d;]*m)*$/`

const segments = `
const single = ${single}
function* singles(text) {
  const one = { segment: '', index: 0 }
  for (let i = 0; i < text.length; i++) {
    one.segment = text[i]
    one.index = i
    yield one
  }
}
function segmentsOf(text) {
  return single.test(text) ? singles(text) : segmenter.segment(text)
}`

/**
 * Lays out each row of a frame alone, and keeps the row for the next frame that writes the same there. Frames with clipped texts are left
 * to Ink.
 */
const rows = `
let caches = new OutputCaches()
function keptCaches() {
  if (caches.styledChars.size > ${kept} || caches.widths.size > ${kept}) caches = new OutputCaches()
  return caches
}
function endOf(line) {
  let end = line.length
  while (end > 0 && line[end - 1]?.value === ' ' && line[end - 1].styles.length === 0) end--
  return end
}
/** Texts of characters that take one column each, without styles. */
const plain = ${plain}
let keptRows = new Map()
function rowsOf({ width, height, operations }) {
  const written = Array.from({ length: height }, () => [])
  for (const { type, x, y, text, transformers } of operations) {
    if (type !== 'write') return undefined
    for (let [index, line] of text.split('\\n').entries()) {
      const row = written[y + index]
      if (row === undefined) continue
      for (const transformer of transformers) line = transformer(line, index)
      row.push({ type, x, y: 0, text: line, transformers: [] })
    }
  }
  if (keptRows.size > ${kept}) keptRows = new Map()
  const laidOut = written.map((row) => {
    const [{ x, text } = { x: 0, text: '' }] = row
    if (row.length < 2 && plain.test(text)) return (' '.repeat(x) + text).trimEnd()
    const key = width + row.map(({ x, text }) => '\\n' + x + ' ' + text).join('')
    let found = keptRows.get(key)
    if (found === undefined) {
      const alone = new Output({ width, height: 1 })
      alone.operations = row
      found = alone.laidOut().output
      keptRows.set(key, found)
    }
    return found
  })
  return { output: laidOut.join('\\n'), height }
}`

/**
 * Ink takes every character of a frame apart and measures it, in each frame anew, and never forgets a text that it has measured. These
 * changes keep what it finds for the next frame, in bounds. They change no byte of what it lays out.
 */
const faster = {
  // Without a limit of frames, Ink would still set a timer at each one.
  'ink/build/ink.js': (source) =>
    replace(source, 'unthrottled = options.debug', 'unthrottled = options.maxFps === 0 || options.debug'),
  'ink/build/output.js': (source) => {
    const cached = replace(source, 'caches = new OutputCaches();', 'caches = keptCaches();')
    // The end of a row is trimmed: its blank cells need not be compared with each other.
    const shared = replace(cached, 'line.filter(item', 'line.slice(0, endOf(line)).filter(item')
    return `${replace(shared, 'get() {', 'get() {\n        return rowsOf(this) ?? this.laidOut();\n    }\n    laidOut() {')}
${rows}`
  },
  // Texts with no other sequences than colours are as Ink leaves them.
  'ink/build/sanitize-ansi.js': (source) =>
    replace(source, '!hasAnsiControlCharacters(text)', 'coloured.test(text)') + coloured,
  'ink/build/measure-text.js': (source) =>
    replace(source, 'cache.set(text', `if (cache.size > ${kept}) cache.clear();\n    cache.set(text`),
  'ink/build/render-node-to-output.js': (source) => {
    const measured = replace(
      source,
      "import widestLine from 'widest-line'",
      "import measureText from './measure-text.js'",
    )
    return replace(measured, 'widestLine(text)', 'measureText(text).width')
  },
  // Its patterns for all other characters take 15 ms to compile, and each first frame has an arrow.
  'string-width/index.js': (source) => {
    // wrap-ansi brings an older version, which has no such patterns.
    if (source.includes("from 'emoji-regex'")) return source
    return replace(source, '/^[\\u0020-\\u007E]*$/', `(ambiguousIsNarrow ? /^[${narrow}]*$/ : /^[ -~]*$/)`)
  },
  '@alcalzone/ansi-tokenize/build/tokenize.js': (source) =>
    replace(source, 'of segmenter.segment(str)', 'of segmentsOf(str)') + segments,
  '@alcalzone/ansi-tokenize/build/styledChars.js': (source) => {
    const shared = replace(source, 'styles: [...codes]', 'styles: codes')
    return replace(
      shared,
      'else {\n            ret += ansiCodesToString(diff',
      'else if (chars[i - 1].styles !== char.styles) {\n            ret += ansiCodesToString(diff',
    )
  },
}

const changes = {
  ...faster,
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
