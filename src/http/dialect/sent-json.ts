import { isJsonObject, type JsonObject, type JsonValue } from '../../json-value.ts'

/** Encodes a value for a request. Writes half a surrogate pair, which strict servers reject, as U+FFFD. */
export function sentJson(value: JsonValue | object): string {
  const json = JSON.stringify(value)
  // Only half a pair is encoded as `\ud…`. The second branch skips an escaped backslash before such letters.
  return json.includes('\\ud')
    ? json.replace(/\\(?:ud[89a-f][0-9a-f]{2}|.)/g, (found) => (found.length === 6 ? '\ufffd' : found))
    : json
}

/** Encodes bodies like `sentJson`, but the items of their long list only once while they are the same objects. */
export class SentBodies {
  /** The text of each item, and the length of its content, which may grow. */
  readonly #texts = new WeakMap<object, { readonly text: string; readonly length: number }>()

  /** `list` names the field with the long list. */
  encode<Name extends string>(body: object & Readonly<Record<Name, readonly Item[]>>, list: Name): string {
    const items = `[${body[list].map((item) => this.#textOf(item)).join(',')}]`
    const fields = Object.entries(body).flatMap(([name, value]) => {
      const text = name === list ? items : value === undefined ? undefined : sentJson(value)
      return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`]
    })
    return `{${fields.join(',')}}`
  }

  #textOf(item: Item): string {
    const known = this.#texts.get(item)
    if (known?.length === item.content.length) return known.text
    const text = sentJson(item)
    this.#texts.set(item, { text, length: item.content.length })
    return text
  }
}

/** A message of a request, which only grows. */
interface Item {
  readonly content: string | readonly unknown[]
}

/** Returns the arguments of a call as servers accept them: those that are no object, as of a cut call, become an empty one. */
export function sentArguments(args: JsonValue): JsonObject {
  return isJsonObject(args) ? args : {}
}
