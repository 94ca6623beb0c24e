import { type JsonObject, type JsonValue, maxArgumentLevels } from '../json-value.ts'
import { objects, text } from '../wire/json-fields.ts'

type Leaf = string | number | boolean | null
type Node = Leaf | Branch

/** An object or a list under construction, with its children in order of arrival. */
class Branch {
  readonly #isList: boolean
  readonly #children = new Map<string, Node>()

  constructor(isList: boolean) {
    this.#isList = isList
  }

  branch(key: string, isList: boolean): Branch {
    const known = this.#children.get(key)
    if (known instanceof Branch) return known
    const branch = new Branch(isList)
    this.#children.set(key, branch)
    return branch
  }

  /** Sets a value. Appends to a text, as texts come in pieces. */
  put(key: string, value: Leaf): void {
    const known = this.#children.get(key)
    this.#children.set(key, typeof known === 'string' && typeof value === 'string' ? known + value : value)
  }

  toJSON(): unknown {
    return this.#isList ? [...this.#children.values()] : Object.fromEntries(this.#children)
  }
}

/** Arguments that arrive value by value, each with its path: `{jsonPath: '$.lines[0]', numberValue: 7}`. */
export class PartialArgs {
  readonly #root = new Branch(false)

  /** Adds the entries of one `partialArgs`, in time linear in their size. Skips entries without a value or path. */
  add(entries: JsonValue | undefined): void {
    for (const entry of objects(entries)) {
      const value = leafOf(entry)
      // A cut path still exceeds the depth limit of arguments, so the call is refused.
      const path = steps(text(entry['jsonPath'])).slice(0, maxArgumentLevels + 1)
      if (value !== undefined) this.#put(path, value)
    }
  }

  toJSON(): unknown {
    return this.#root.toJSON()
  }

  #put(path: readonly Step[], value: Leaf): void {
    let at = this.#root
    for (const [i, { key }] of path.entries()) {
      const next = path[i + 1]
      if (next === undefined) at.put(key, value)
      else at = at.branch(key, next.isIndex)
    }
  }
}

function leafOf(entry: JsonObject): Leaf | undefined {
  if ('nullValue' in entry) return null
  for (const value of [entry['stringValue'], entry['numberValue'], entry['boolValue']])
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  return undefined
}

interface Step {
  readonly key: string
  readonly isIndex: boolean
}

const step = /\.([^.[\]]+)|\[(\d+)\]|\["([^"]*)"\]|\['([^']*)'\]/g

/** Splits a path after its `$` into names, indexes and quoted names. */
function steps(path: string): readonly Step[] {
  return Array.from(path.matchAll(step), ([, name, index, double, single]) => {
    return { key: name ?? index ?? double ?? single ?? '', isIndex: index !== undefined }
  })
}
