import { isJsonObject, type JsonValue } from '../json-value.ts'
import { createRedactor } from '../redaction/redaction.ts'
import { secretField } from '../redaction/secret-patterns.ts'

/** Hides what a setting holds of secrets: values of headers, of variables and of fields named like a secret, and keys in any text. */
export function maskedSetting(field: readonly string[], value: JsonValue): JsonValue {
  const redact = createRedactor([])
  const mask = (way: readonly string[], one: JsonValue): JsonValue => {
    if (Array.isArray(one)) return one.map((entry) => mask(way, entry))
    if (isJsonObject(one))
      return Object.fromEntries(
        Object.entries(one).map(([name, entry]) => [name, mask([...way, name], entry)]),
      )
    if (typeof one !== 'string') return one
    return isSecret(way) ? maskedValue(one) : redact(one)
  }
  return mask(field, value)
}

/** Whether a setting holds a secret. */
export function holdsSecret(field: readonly string[], value: JsonValue): boolean {
  return JSON.stringify(maskedSetting(field, value)) !== JSON.stringify(value)
}

function isSecret(way: readonly string[]): boolean {
  return ['headers', 'env'].includes(way.at(-2) ?? '') || secretField.test(way.at(-1) ?? '')
}

/** Shows a variable that a value names, and nothing of any other value. */
export function maskedValue(value: string): string {
  return /^(Bearer )?\$\{\w+\}$/.test(value) ? value : '***'
}
