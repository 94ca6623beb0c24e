import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from '../bundle.js'
import { typeKeys } from '../warm-keys.js'
import { serveModel } from '../warm-model.js'

/** A model that makes one call, then says `done`. */
const calling = (name, args) => ({
  version: 1,
  rounds: [
    { blocks: [{ type: 'tool_call', name, arguments: args }] },
    { blocks: [{ type: 'text', text: 'done' }] },
  ],
})

/** Runs what starts or reads something beside the program. Throws at the first thing that is not as it should be. */
export async function smoke(program) {
  const folder = mkdtempSync(join(tmpdir(), 'pipe-smoke-'))
  const within = (name) => join(folder, name)
  for (const name of ['home', 'project']) mkdirSync(within(name), { mode: 0o700 })
  const { env, close } = await serveModel(within('home'), 'prompt')
  const options = {
    cwd: within('project'),
    env: { PATH: process.env.PATH, LANG: 'C.UTF-8', HOME: folder, TMPDIR: folder, ...env },
  }
  const run = (...args) => finish(start(program, args, options))
  const asked = (name, args, ...flags) => {
    writeFileSync(within(`${name}.json`), JSON.stringify(calling(name, args)))
    return run(...flags, '-o', 'stream-json', '-m', `replay/${within(`${name}.json`)}`, 'go')
  }
  try {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect(await run('--version'), `${version} (one file)`)
    expect(await run('help', '--man'), '.TH PIPE 1')
    expect(await run('-m', 'warm/m', 'hi'), 'ok')
    const doctor = await run('doctor', '--json')
    expect(doctor, 'inside this one file')
    const hasSandbox = JSON.parse(doctor).checks.some(
      ({ name, state }) => name === 'sandbox' && state === 'ok',
    )
    const mode = hasSandbox ? ['--permission-mode', 'auto', '--sandbox', 'workspace-write'] : ['--yolo']
    expect(await asked('bash', { command: 'echo inside | tee made' }, ...mode), '"text":"inside')
    expect(await asked('elf', { action: 'run', prompt: 'go on' }, '--yolo'), '"type":"elf_end"')
    await attach(program, options)
    if (readdirSync(within('project')).join() !== 'made') throw new Error('it left files in the project')
    console.log(`smoke: all is well${hasSandbox ? '' : ', without a sandbox on this machine'}`)
  } finally {
    close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Serves the project with its page, and types into a session of it on a terminal. */
async function attach(program, options) {
  const server = start(program, ['serve', '--json'], options)
  try {
    const [line] = await Promise.race([
      createInterface({ input: server.stdout })
        [Symbol.asyncIterator]()
        .next()
        .then(({ value }) => [value]),
      finish(server),
    ])
    const { url, token } = JSON.parse(line)
    expect(await (await fetch(`${url}/`)).text(), '<title>pipe</title>')
    const exitCode = await typeKeys(
      program,
      ['attach', `${url}/#token=${token}`, '--new', '-m', 'warm/m'],
      options,
    )
    if (exitCode !== 0) throw new Error(`pipe attach ended with ${exitCode}`)
  } finally {
    server.kill()
  }
}

function start(program, args, options) {
  return spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] })
}

/** Resolves to the output of a run. Rejects if it fails. */
function finish(child) {
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('close', (code, signal) => {
      if (code === 0) resolve(output)
      else reject(new Error(`${child.spawnargs.join(' ')} ended with ${signal ?? code}: ${output}`))
    })
  })
}

function expect(output, words) {
  if (!output.includes(words)) throw new Error(`expected ${words}, not: ${output}`)
}
