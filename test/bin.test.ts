import { spawnSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../', import.meta.url))
let folder = ''

/** Copies the launcher with only the manifest beside it. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pipe-bin-'))
  await cp(join(root, 'bin'), join(folder, 'bin'), { recursive: true })
  await cp(join(root, 'package.json'), join(folder, 'package.json'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

/** Runs the launcher after `pretend`. */
async function launch(args: readonly string[], pretend = '') {
  const disguise = join(folder, 'disguise.cjs')
  await writeFile(disguise, pretend)
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--require', disguise, join(folder, 'bin', 'pipe.js'), ...args],
    { encoding: 'utf8' },
  )
  return { status, stdout, stderr }
}

describe('the launcher', () => {
  it.each(['--version', '-V'])('answers %s without the program', async (flag) => {
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    expect(await launch([flag])).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' })
  })

  it('explains what to do if the program is not built', async () => {
    expect(await launch(['hello'])).toEqual({
      status: 52,
      stdout: '',
      stderr: `pipe: not built yet: run \`npm install\` in ${folder}\n`,
    })
  })

  it.each(['18.20.8', '20.18.3', '8.17.0'])('refuses Node %s in one line', async (version) => {
    const old = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`
    expect(await launch(['--version'], old)).toEqual({
      status: 52,
      stdout: '',
      stderr: `pipe: needs Node.js 20.19 or newer, and this is ${version}\n`,
    })
  })

  it('sends Windows users to WSL', async () => {
    const windows = "Object.defineProperty(process, 'platform', { value: 'win32' })"
    expect(await launch(['hello'], windows)).toEqual({
      status: 52,
      stdout: '',
      stderr: 'pipe: runs on Linux and macOS; on Windows, use it inside WSL\n',
    })
  })

  it('passes all arguments to the program, even a version flag among other words', async () => {
    await mkdir(join(folder, 'dist', 'cli'), { recursive: true })
    const main = '() => { console.log(process.argv.slice(2)); process.exitCode = 7 }'
    await writeFile(join(folder, 'dist', 'cli', 'cli.js'), `(exports) => { exports.main = ${main} }`)
    const started = { status: 7, stdout: "[ '-p', '--version' ]\n", stderr: '' }
    expect(await launch(['-p', '--version'])).toEqual(started)
  })
})
