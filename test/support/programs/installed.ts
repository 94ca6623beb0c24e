import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from './world.ts'

/** Packages in a folder of their own. */
export interface Installed {
  /** Returns a path in `node_modules`. */
  readonly at: (path: string) => string
}

/** Files and runs share what is installed once. `npm ci` clears it. */
const shared = join(root, 'node_modules/.cache/pipe-installed')

/** Installs packages of the registry, unless they are there. `undefined` if it cannot be reached. `flags` are those of npm. */
export async function installPackages(
  packages: readonly string[],
  flags: readonly string[] = [],
): Promise<Installed | undefined> {
  const args = ['--no-audit', '--no-fund', '--ignore-scripts', ...flags, ...packages]
  const name = createHash('sha256').update(JSON.stringify(args)).digest('hex').slice(0, 16)
  const folder = join(shared, name)
  if (!existsSync(folder) && !(await installInto(folder, args))) return undefined
  return { at: (path) => join(folder, 'node_modules', path) }
}

/** Returns whether the packages are in this folder, which appears whole, also where two processes install at once. */
async function installInto(folder: string, args: readonly string[]): Promise<boolean> {
  await mkdir(shared, { recursive: true })
  const draft = await mkdtemp(`${folder}.`)
  await writeFile(join(draft, 'package.json'), '{"private": true}')
  try {
    await promisify(execFile)('npm', ['install', ...args], { cwd: draft, timeout: 150_000 })
    await rename(draft, folder)
  } catch {
    await rm(draft, { recursive: true, force: true })
  }
  return existsSync(folder)
}
