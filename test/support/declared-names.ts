import { parseAst } from 'vitest/node'

interface Node {
  readonly type: string
  readonly [property: string]: unknown
}

/** The declarations at the top of modules. Parses a module when something that it declares is asked about. */
export class DeclaredNames {
  readonly #tree: Readonly<Record<string, string>>
  /** The paths of the modules that declare a name. */
  readonly #places = new Map<string, string[]>()
  readonly #words = new Map<string, ReadonlySet<string>>()

  /** Takes modules by their paths. */
  constructor(tree: Readonly<Record<string, string>>) {
    this.#tree = tree
    for (const [path, source] of Object.entries(tree)) {
      for (const [, name = ''] of source.matchAll(declaration))
        this.#places.set(name, [...(this.#places.get(name) ?? []), path])
    }
  }

  /** Whether a name is declared: `Turn`, or `Turn.rounds` for a member of it or of a type that it is made of. */
  has(path: string): boolean {
    const [name = '', member] = path.split('.')
    if (member === undefined) return this.#places.has(name)
    const own = this.#wordsOf(name)
    return (
      own.has(member) || [...own].some((part) => this.#places.has(part) && this.#wordsOf(part).has(member))
    )
  }

  /** Returns the names that stand inside of the declarations of a name. */
  #wordsOf(name: string): ReadonlySet<string> {
    const known = this.#words.get(name)
    if (known !== undefined) return known
    const nodes = (this.#places.get(name) ?? []).flatMap((path) =>
      declarationsOf(path, this.#tree[path] ?? '').filter((node) => namesOf(node).includes(name)),
    )
    const words = new Set(nodes.flatMap((node) => [...wordsIn(node)]))
    this.#words.set(name, words)
    return words
  }
}

const declaration =
  /^(?:export )?(?:default )?(?:abstract |async )?(?:interface|type|class|function\*?|const|let) (\w+)/gm

/** Returns the declarations at the top of a module. */
function declarationsOf(path: string, source: string): readonly Node[] {
  const program: unknown = parseAst(source, { lang: path.endsWith('.tsx') ? 'tsx' : 'ts' })
  const body = isNode(program) ? program['body'] : undefined
  return (Array.isArray(body) ? body : []).flatMap((node: unknown) => {
    if (!isNode(node)) return []
    return isNode(node['declaration']) ? [node['declaration']] : [node]
  })
}

function namesOf(node: Node): readonly string[] {
  const declarations = Array.isArray(node['declarations']) ? node['declarations'] : [node]
  return declarations.flatMap((one: unknown) => {
    const id = isNode(one) ? one['id'] : undefined
    return isNode(id) && typeof id['name'] === 'string' ? [id['name']] : []
  })
}

function* wordsIn(value: unknown): Generator<string, void, undefined> {
  if (Array.isArray(value)) {
    for (const item of value) yield* wordsIn(item)
  } else if (isNode(value)) {
    if (typeof value['name'] === 'string') yield value['name']
    for (const child of Object.values(value)) yield* wordsIn(child)
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}
