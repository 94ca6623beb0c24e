import { unreachable } from '../error.ts'
import type { GlobNode, GlobNodes } from './glob-parse.ts'

/** Indexes of a text that a part of a pattern may end at. Ascending, each once. */
type Positions = readonly number[]

/**
 * One match of a text. Follows all positions that the nodes so far may end at, side by side, so that no pattern makes it try a way
 * twice.
 */
export class GlobRun {
  readonly #text: string
  /** The text ended within the pattern. */
  #endsWithin = false

  constructor(text: string) {
    this.#text = text
  }

  matches(nodes: GlobNodes): boolean {
    return this.#after(nodes, [0]).at(-1) === this.#text.length
  }

  /** Whether a longer text that begins like this may match. */
  reaches(nodes: GlobNodes): boolean {
    this.#after(nodes, [0])
    return this.#endsWithin
  }

  #after(nodes: GlobNodes, from: Positions): Positions {
    let positions = from
    for (const node of nodes) {
      if (positions.length === 0) return positions
      if (positions.at(-1) === this.#text.length) this.#endsWithin = true
      positions = this.#step(node, positions)
    }
    return positions
  }

  #step(node: GlobNode, from: Positions): Positions {
    switch (node.type) {
      case 'text':
        return this.#afterText(node.text, from)
      case 'one':
        return from.flatMap((at) => {
          const character = String.fromCodePoint(this.#text.codePointAt(at) ?? 0)
          return at < this.#text.length && node.has(character) ? [at + character.length] : []
        })
      case 'name':
        return this.#withinNames(from)
      case 'any':
        this.#endsWithin = true
        return range(from[0] ?? 0, this.#text.length)
      case 'folders':
        this.#endsWithin = true
        return this.#belowFolders(from)
      case 'group':
        return this.#afterGroup(node, from)
      default:
        return unreachable(node)
    }
  }

  #afterText(part: string, from: Positions): Positions {
    const after: number[] = []
    for (const at of from) {
      if (this.#text.startsWith(part, at)) after.push(at + part.length)
      else if (at + part.length > this.#text.length && part.startsWith(this.#text.slice(at)))
        this.#endsWithin = true
    }
    return after
  }

  #withinNames(from: Positions): Positions {
    const after: number[] = []
    let end = -1
    for (const at of from) {
      if (at <= end) continue
      end = this.#nameEnd(at)
      for (let to = at; to <= end; to++) after.push(to)
    }
    return after
  }

  #belowFolders(from: Positions): Positions {
    const [first = 0] = from
    const below: number[] = [first]
    for (let at = this.#text.indexOf('/', first); at !== -1; at = this.#text.indexOf('/', at + 1))
      below.push(at + 1)
    return below
  }

  #afterGroup({ sign, choices }: GlobNode & { readonly type: 'group' }, from: Positions): Positions {
    const once = (starts: Positions) => union(choices.map((nodes) => this.#after(nodes, starts)))
    switch (sign) {
      case '?':
        return union([from, once(from)])
      case '!':
        return union(from.map((at) => without(range(at, this.#nameEnd(at)), once([at]))))
      case '+':
        return closure(once(from), once)
      case '*':
        return closure(from, once)
      default:
        return once(from)
    }
  }

  #nameEnd(at: number): number {
    const slash = this.#text.indexOf('/', at)
    return slash === -1 ? this.#text.length : slash
  }
}

function range(from: number, to: number): Positions {
  const positions: number[] = []
  for (let at = from; at <= to; at++) positions.push(at)
  return positions
}

function union(all: readonly Positions[]): Positions {
  return [...new Set(all.flat())].sort((a, b) => a - b)
}

function without(positions: Positions, others: Positions): Positions {
  const left = new Set(others)
  return positions.filter((at) => !left.has(at))
}

/** All positions that any number of steps lead to. */
function closure(from: Positions, step: (positions: Positions) => Positions): Positions {
  let all = from
  for (let added = from; added.length > 0; ) {
    added = without(step(added), all)
    all = union([all, added])
  }
  return all
}

/** The length of the shortest text that may match. */
export function minLength(nodes: GlobNodes): number {
  return nodes.reduce((sum, node) => {
    if (node.type === 'text') return sum + node.text.length
    if (node.type === 'one') return sum + 1
    const isNeeded = node.type === 'group' && /[@+]/.test(node.sign)
    return isNeeded ? sum + Math.min(...node.choices.map(minLength)) : sum
  }, 0)
}
