import { sha256 } from '../files/lazy-crypto.ts'

/** The longest name of a tool that every provider takes. */
const longest = 64

/** Gives each server the word that the names of its tools begin with. Two that would share one get a hash. */
export function serverWords(servers: readonly string[]): ReadonlyMap<string, string> {
  return distinct(
    servers,
    (server) => plain(server).replace(/_+/g, '_').replace(/^_|_$/g, '') || 'server',
    40,
  )
}

/**
 * Names the tools of a server for the model, by their own names: `mcp__SERVER__TOOL`, as other agents do, with `_` for characters that
 * providers refuse. Two that would share a name get one with a hash.
 */
export function toolNames(word: string, tools: readonly string[]): ReadonlyMap<string, string> {
  return distinct(tools, (tool) => `mcp__${word}__${plain(tool)}`, longest)
}

/** Gives each text a name of at most `most` characters, with a hash where two meet or one is cut. */
function distinct(
  texts: readonly string[],
  nameOf: (text: string) => string,
  most: number,
): ReadonlyMap<string, string> {
  const count = new Map<string, number>()
  for (const text of texts) count.set(nameOf(text), (count.get(nameOf(text)) ?? 0) + 1)
  return new Map(
    texts.map((text) => {
      const name = nameOf(text)
      return [text, count.get(name) === 1 && name.length <= most ? name : hashed(name, text, most)]
    }),
  )
}

function plain(text: string): string {
  return text.replace(/[^\w-]/g, '_')
}

function hashed(name: string, text: string, most: number): string {
  const hash = sha256(text).slice(0, 8)
  return `${name.slice(0, most - hash.length - 1)}_${hash}`
}
