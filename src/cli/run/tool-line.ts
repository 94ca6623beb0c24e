import { isJsonObject, type JsonValue } from '../../json-value.ts'

/** The argument that says what a call is about, in the order of what tells most. */
const telling = ['command', 'pattern', 'path', 'url', 'query']
const width = 100

/** One line for a call: its name and what it is about. */
export function describeCall(name: string, args: JsonValue): string {
  const fields = isJsonObject(args) ? args : {}
  const values = telling.flatMap((key) => (typeof fields[key] === 'string' ? [fields[key]] : []))
  const about = name === 'todo' ? describePlan(fields['items']) : values.join(' in ')
  const target = about.replace(/\s+/g, ' ').trim()
  return target === '' ? name : `${name} ${target.length > width ? `${target.slice(0, width - 1)}…` : target}`
}

/** How far a plan is, and what is being done. */
function describePlan(items: JsonValue | undefined): string {
  const plan = Array.isArray(items) ? items.filter(isJsonObject) : []
  const done = plan.filter(({ status }) => status === 'done').length
  const now = plan.find(({ status }) => status === 'in_progress')?.['text']
  return `${done} of ${plan.length} done${typeof now === 'string' ? `: ${now}` : ''}`
}

/** `120 ms`, `1.5 s`. */
export function describeDuration(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`
}
