import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run.js'

/** The file in `dist` that holds the licences of all packages inside. */
const fileName = 'licences.txt'

const head = `pipe contains these packages. Their licences ask to be kept with them.\n`

/** Gathers the licences of packages whose code or files a build takes over. */
export class Licences {
  #folders = new Set()

  /** A plugin of esbuild that adds the packages in a bundle. */
  plugin = {
    name: 'licences',
    setup: ({ initialOptions, onEnd }) => {
      initialOptions.metafile = true
      onEnd(({ metafile }) => {
        for (const input of Object.keys(metafile?.inputs ?? {})) this.#addFile(input)
      })
    },
  }

  /** Adds a package by its name. */
  add(name) {
    this.#folders.add(join('node_modules', name))
  }

  /** Writes the licences into a folder, each text once, below the packages that have it. `more`: parts that are no packages. */
  write(folder, more = []) {
    const packages = new Map()
    for (const path of this.#folders) {
      const { name, version, license } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'))
      packages.set(`${name} ${version} (${license})`, textOf(path))
    }
    const names = new Map()
    for (const [name, text] of [...packages].sort()) names.set(text, [...(names.get(text) ?? []), name])
    const parts = [...names].map(([text, all]) => `${all.join('\n')}\n\n${text}\n`)
    writeFileSync(join(folder, fileName), [head, ...more, ...parts].join(`\n${'-'.repeat(80)}\n\n`))
  }

  #addFile(input) {
    const [, folder] = /^(?:.*?:)?((?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input) ?? []
    if (folder !== undefined) this.#folders.add(folder)
  }
}

/** Returns what a package says of its licence. */
function textOf(path) {
  const folder = join(root, path)
  const files = readdirSync(folder).filter((name) => /^(licen[cs]e|copying|notice)([.-].*)?$/i.test(name))
  const texts = files
    .toSorted()
    .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim())
  return texts.length > 0 ? texts.join('\n\n') : 'Its licence is named above. It comes without a text.'
}
