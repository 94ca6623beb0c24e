import type { Variables } from './expansion.ts'
import { unknownText } from './fields.ts'

/** Values per variable. With more, it counts as unknown. */
const mostValues = 8

/** A valid name for a variable. */
export const variableName: RegExp = /^[A-Za-z_]\w*$/

/** The values that the line's variables may have. Over-approximates. */
export class VariableValues {
  readonly #values = new Map<string, Set<string>>()
  /** Variables that refer to the ones their values name. */
  readonly #references = new Set<string>()

  constructor(environment: Readonly<Record<string, string>>) {
    for (const [name, value] of Object.entries(environment)) this.#values.set(name, new Set([value]))
  }

  get all(): Variables {
    return this.#values
  }

  /** Returns whether this adds anything new. */
  assign(name: string, value: string): boolean {
    const isNew = this.#note(name, value)
    return (this.#references.has(name) && this.#forgetReferred(value)) || isNew
  }

  /** Makes the variable refer to others. Returns whether this adds anything new. */
  refer(name: string): boolean {
    const isNew = !this.#references.has(name)
    this.#references.add(name)
    return this.#forget(name) || isNew
  }

  /** The variable that is referred to may have any value. If the reference is unknown, that is every variable. */
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
