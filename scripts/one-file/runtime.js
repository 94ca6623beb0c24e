import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../bundle.js'

const { version, ...runtimes } = JSON.parse(readFileSync(join(import.meta.dirname, 'runtimes.json'), 'utf8'))

/** Its package has no text of its licences. */
export const runtimeLicence = `Bun ${version} (MIT) with JavaScriptCore of WebKit (LGPL 2) and other libraries:
https://bun.com/docs/project/licensing
`

/** The machines that a one-file build can be made for. */
export const targets = Object.keys(runtimes)

/** `npm ci` clears it. The runtimes are no dependencies, because each is 100 MB that only this build needs. */
const cache = join(root, 'node_modules', '.cache', 'pipe-runtimes')

/** Returns the path of the runtime for a target. Fetches its package from the registry once, and checks it against our own checksum. */
export function findRuntime(target) {
  const { package: name, integrity } = runtimes[target]
  const file = join(cache, `${target}-${version}`)
  if (existsSync(file)) return file
  mkdirSync(cache, { recursive: true })
  const draft = mkdtempSync(join(cache, 'draft-'))
  try {
    const args = ['pack', `${name}@${version}`, '--pack-destination', draft, '--json']
    const [{ filename }] = JSON.parse(execFileSync('npm', args, { cwd: draft, encoding: 'utf8' }))
    const archive = join(draft, filename)
    const sum = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`
    if (sum !== integrity) throw new Error(`${name}@${version} is not what runtimes.json expects: ${sum}`)
    execFileSync('tar', ['-xzf', archive, '-C', draft, 'package/bin/bun'])
    renameSync(join(draft, 'package', 'bin', 'bun'), file)
    return file
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}
