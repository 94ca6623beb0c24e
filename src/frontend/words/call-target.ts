import { isJsonObject, type JsonValue } from '../../json-value.ts'

/** Arguments that describe a call, best first. */
const telling = ['command', 'pattern', 'path', 'file_path', 'url', 'query']

/** Returns what a call acts on, in one line of any length: a command, a path, a plan's progress. Empty if its arguments do not say. */
export function callTarget(args: JsonValue): string {
  const fields = isJsonObject(args) ? args : {}
  const { from, to } = fields
  const moved = typeof from === 'string' && typeof to === 'string' ? [`${from} → ${to}`] : []
  const values = [...telling.flatMap((key) => wordsOf(fields[key])), ...moved]
  const about = values.length === 0 ? describePlan(fields['items']) : values.join(' in ')
  return about.replace(/\s+/g, ' ').trim()
}

/** Returns the first argument that is a text; empty if none is. */
export function firstText(args: JsonValue): string {
  const texts = isJsonObject(args) ? Object.values(args) : []
  return texts.find((value) => typeof value === 'string') ?? ''
}

/** Returns a text, or a command given as a list of words, in one piece. */
function wordsOf(value: JsonValue | undefined): readonly string[] {
  if (typeof value === 'string') return [value]
  const words = Array.isArray(value) ? value.filter((word) => typeof word === 'string') : []
  return words.length === 0 ? [] : [words.join(' ')]
}

/** Describes a plan's progress and current item. Empty if the items are not those of a plan. */
function describePlan(items: JsonValue | undefined): string {
  const plan = Array.isArray(items) ? items.filter(isJsonObject) : []
  if (!plan.some(({ status }) => typeof status === 'string')) return ''
  const done = plan.filter(({ status }) => status === 'done').length
  const now = plan.find(({ status }) => status === 'in_progress')?.['text']
  return `${done} of ${plan.length} done${typeof now === 'string' ? `: ${now}` : ''}`
}
