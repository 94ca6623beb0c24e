/** Matches `-20250929`, `-2025-08-07`, `-0613`, `@20250929`, but no other numbers, which are versions (`-2512`). */
const date = /[-@](?:20\d{6}|20\d\d-\d\d-\d\d|(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))$/
const newest = /(?:-|:)latest$/

/** Removes a date or `latest` from an id. */
export function undated(id: string): string {
  return id.replace(newest, '').replace(date, '')
}

export interface RoutedName {
  readonly provider: string
  readonly id: string
}

/** The vendors that OpenRouter routes to, as providers of ours. */
const vendors: ReadonlyMap<string, string> = new Map([
  ['anthropic', 'anthropic'],
  ['openai', 'openai'],
  ['google', 'gemini'],
  ['mistralai', 'mistral'],
  ['x-ai', 'xai'],
  ['deepseek', 'deepseek'],
])

/** Returns the vendor's own name of a model that OpenRouter calls `vendor/model`. */
export function vendorName(id: string): RoutedName | undefined {
  const [vendor = '', model] = id.split('/')
  const provider = vendors.get(vendor)
  if (provider === undefined || model === undefined) return undefined
  return { provider, id: provider === 'anthropic' ? model.replaceAll('.', '-') : model }
}

/** Normalises the last part of an id, because a routed model may have dots instead of dashes. */
export function spelling(id: string): string {
  return id
    .slice(id.lastIndexOf('/') + 1)
    .toLowerCase()
    .replaceAll('.', '-')
}

/** Normalises an id without its date. */
export function bareName(id: string): string {
  return spelling(undated(id))
}
