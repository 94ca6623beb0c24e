// Packs the built package as it is published, into a folder (default: the working folder), and prints the path of the archive.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { root } from './run.js'

const [folder = '.'] = process.argv.slice(2)

/** Fields that matter in the repository alone. An install would fetch 120 MB of packages that the bundles contain already. */
const ownFields = ['dependencies', 'devDependencies', 'scripts']

/** Packs what is in a folder into it. Returns the name of the archive. */
function pack(from, into) {
  const args = ['pack', from, '--ignore-scripts', '--silent', '--pack-destination', into]
  return execFileSync('npm', args, { encoding: 'utf8' }).trim().split('\n').at(-1)
}

function main() {
  const draft = mkdtempSync(join(tmpdir(), 'pipe-pack-'))
  try {
    execFileSync('tar', ['-xzf', join(draft, pack(root, draft)), '-C', draft])
    const place = join(draft, 'package')
    const manifest = join(place, 'package.json')
    const fields = Object.entries(JSON.parse(readFileSync(manifest, 'utf8')))
    const kept = Object.fromEntries(fields.filter(([name]) => !ownFields.includes(name)))
    writeFileSync(manifest, `${JSON.stringify(kept, null, 2)}\n`)
    const name = pack(place, draft)
    const archive = resolve(folder, name)
    copyFileSync(join(draft, name), archive)
    console.log(archive)
  } finally {
    rmSync(draft, { recursive: true })
  }
}

main()
