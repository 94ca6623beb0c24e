import { isJsonObject, type JsonValue } from '../json-value.ts'

/** The argument that says what a call is about, in the order of what tells most. */
const telling = ['command', 'pattern', 'path', 'url', 'query']
const width = 100

/** One line for a call: its name and what it is about. */
export function describeCall(name: string, args: JsonValue): string {
  const fields = isJsonObject(args) ? args : {}
  const values = telling.flatMap((key) => (typeof fields[key] === 'string' ? [fields[key]] : []))
  const target = values.join(' in ').replace(/\s+/g, ' ').trim()
  return target === '' ? name : `${name} ${target.length > width ? `${target.slice(0, width - 1)}…` : target}`
}

export function describeDuration(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`
}
