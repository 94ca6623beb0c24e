import { readFileSync } from 'node:fs'

/** The part of `Headers` that the SDK needs to compose a request. */
const headers = `
class Headers {
  #values = new Map()
  get(name) { return this.#values.get(name.toLowerCase()) ?? null }
  has(name) { return this.#values.has(name.toLowerCase()) }
  set(name, value) { this.#values.set(name.toLowerCase(), String(value).trim()) }
  append(name, value) { this.set(name, this.has(name) ? this.get(name) + ', ' + value : value) }
  delete(name) { this.#values.delete(name.toLowerCase()) }
  entries() { return this.#values.entries() }
}
`

/** Keeps the Anthropic SDK from Node's own `Headers`, whose first use loads undici: a third of a bare start. */
export const sdkHeaders = {
  name: 'sdk-headers',
  setup(bundle) {
    bundle.onLoad({ filter: /@anthropic-ai\/sdk\/internal\/headers\.mjs$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8')
      if (!source.includes('new Headers()'))
        throw new Error(`${path} is not as expected: see ${import.meta.filename}`)
      return { contents: headers + source }
    })
  },
}
