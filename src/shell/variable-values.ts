import type { Variables } from './expansion.ts'
import { unknownText } from './fields.ts'

/** Values of a variable that are told apart; of one with more, none is known. */
const mostValues = 8

/** A name that a variable may have. */
export const variableName: RegExp = /^[A-Za-z_]\w*$/

/** The values that the variables of a line may come to have: more than they will. */
export class VariableValues {
  readonly #values = new Map<string, Set<string>>()
  /** Variables that stand for those that their values name. */
  readonly #references = new Set<string>()

  constructor(environment: Readonly<Record<string, string>>) {
    for (const [name, value] of Object.entries(environment)) this.#values.set(name, new Set([value]))
  }

  get all(): Variables {
    return this.#values
  }

  /** Whether this is news. */
  assign(name: string, value: string): boolean {
    const isNew = this.#note(name, value)
    return (this.#references.has(name) && this.#forgetReferred(value)) || isNew
  }

  /** The variable stands for others from here on. Whether this is news. */
  refer(name: string): boolean {
    const isNew = !this.#references.has(name)
    this.#references.add(name)
    return this.#forget(name) || isNew
  }

  /** By another name a variable may be given any value; where that name is not known, each may. */
  #forgetReferred(reference: string): boolean {
    const [name = ''] = reference.split('[', 1)
    if (reference.includes(unknownText))
      return [...this.#values.keys()].map((one) => this.#forget(one)).includes(true)
    return variableName.test(name) && this.#forget(name)
  }

  #forget(name: string): boolean {
    return this.#note(name, unknownText)
  }

  #note(name: string, value: string): boolean {
    const values = this.#values.get(name) ?? new Set()
    this.#values.set(name, values)
    if (values.has(value) || values.has(unknownText)) return false
    values.add(values.size < mostValues ? value : unknownText)
    return true
  }
}
