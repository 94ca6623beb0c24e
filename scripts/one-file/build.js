import { execFileSync, spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { buildPage } from '../build-page.js'
import { copyGrammar, grammarPackage, root, shared } from '../bundle.js'
import { Licences } from '../licences.js'
import { typeKeys } from '../warm-keys.js'
import { serveModel, ways } from '../warm-model.js'
import { findRuntime, runtimeLicence, targets } from './runtime.js'
import { smoke } from './smoke.js'

const host = `${process.platform}-${process.arch}`
const { target = host } = parseArgs({ options: { target: { type: 'string' } } }).values

/**
 * Packages that are not inside, and fail when they are imported. Left to the runtime, it would look for them in the project's
 * `node_modules`, and run what it finds there.
 */
const leftOut = {
  name: 'left-out',
  setup(bundle) {
    const names = /^(@vscode\/ripgrep|pg-native|kerberos)$/
    bundle.onResolve({ filter: names }, ({ path }) => ({ path, namespace: 'left-out' }))
    bundle.onLoad({ filter: /.*/, namespace: 'left-out' }, ({ path }) => ({
      contents: `throw new Error(${JSON.stringify(`${path} is not inside this one file`)})`,
    }))
  },
}

/** Bundles the program into a folder, split at its dynamic imports, with the files that it reads. */
async function buildSources(folder) {
  const licences = new Licences()
  await build({
    ...shared,
    minifyIdentifiers: true,
    external: [],
    plugins: [leftOut, ...shared.plugins, licences.plugin],
    entryPoints: { pipe: 'scripts/one-file/entry.js' },
    outdir: join(folder, 'sources'),
  })
  mkdirSync(join(folder, 'dist'))
  copyGrammar(join(folder, 'dist'))
  licences.add(grammarPackage)
  await buildPage(root, join(folder, 'dist'), [licences.plugin])
  licences.write(join(folder, 'dist'), [runtimeLicence])
}

/** Compiles the sources and a target's runtime into one executable. Bytecode that the runs of `orders` used comes first, in their order. */
function compile(folder, { machine, name, orders = [] }) {
  const flags = [
    ...['--compile', '--bytecode', '--splitting', '--format=esm', `--target=bun-${machine}`],
    ...['--reject-unresolved', '--minify-syntax', '--minify-whitespace'],
    // Most runs are short: later optimization saves a fifth of a one-shot's CPU.
    '--compile-jit-policy=4',
    // The program must not read settings of the project that it happens to start in.
    ...['--no-compile-autoload-dotenv', '--no-compile-autoload-bunfig'],
    // As in Node, a rejection that nobody handles is an uncaught exception.
    '--compile-exec-argv=--unhandled-rejections=throw',
    ...['--asset', 'dist', `--compile-executable-path=${findRuntime(machine)}`, `--outfile=${name}`],
    ...orders.map((file) => `--bytecode-order=${file}`),
  ]
  execFileSync(findRuntime(host), ['build', ...flags, 'sources/pipe.js'], { cwd: folder, stdio: 'inherit' })
  return join(folder, name)
}

/** Runs the program in the usual ways. Returns the files in which it noted the bytecode that it used, the most important first. */
async function noteOrders(folder, program) {
  const home = join(folder, 'home')
  mkdirSync(home, { mode: 0o700 })
  const orders = []
  for (const way of ['calls', 'continue', 'anthropic', 'terminal']) {
    const { env, close } = await serveModel(home, way)
    const order = join(folder, `order-${way}`)
    const options = { cwd: home, env: { ...process.env, ...env, BUN_BYTECODE_ORDER_OUT: order } }
    const run = way === 'terminal' ? typeKeys : runProgram
    const exitCode = await run(program, ways[way], options)
    close()
    if (exitCode !== 0) throw new Error(`pipe ${ways[way].join(' ')} ended with ${exitCode}`)
    orders.push(order)
  }
  return orders
}

function runProgram(file, args, options) {
  const child = spawn(file, args, { ...options, stdio: ['ignore', 'ignore', 'inherit'] })
  return new Promise((resolve, reject) => child.once('error', reject).once('exit', resolve))
}

/** Moves the executable to where it is found, also from another file system. */
function place(file, name) {
  const folder = join(root, 'binary')
  mkdirSync(folder, { recursive: true })
  const done = join(folder, name)
  copyFileSync(file, `${done}.draft`)
  renameSync(`${done}.draft`, done)
  return done
}

async function main() {
  if (!targets.includes(target)) throw new Error(`--target takes ${targets.join(', ')}, not ${target}`)
  if (!targets.includes(host))
    throw new Error(`a one-file build is made on ${targets.join(', ')}, not on ${host}`)
  const name = `pipe-${target}`
  const folder = mkdtempSync(join(tmpdir(), 'pipe-one-file-'))
  try {
    await buildSources(folder)
    const orders = await noteOrders(folder, compile(folder, { machine: host, name: 'first' }))
    const file = compile(folder, { machine: target, name, orders })
    if (target === host) await smoke(file)
    console.log(place(file, name))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

await main()
