/** Characters of the shortest key that is one. Shorter ones stand for none, and occur in words. */
const leastKey = 8

/** Quotes the server on one line: at most 300 characters, without control characters or the key. */
export function quotedServer(words: string, apiKey: string | undefined): string {
  const safe = apiKey !== undefined && apiKey.length >= leastKey ? words.replaceAll(apiKey, '[key]') : words
  if (safe.trimStart().startsWith('<')) return webPage(safe)
  return oneLine(safe, 300) || 'no reason given'
}

/** Returns `a web page`, with its title if it has one. */
function webPage(markup: string): string {
  const [, title = ''] = /<title[^<>]*>([^<]*)/i.exec(markup) ?? []
  const plain = oneLine(title.replace(/&(#\d+|\w+);/g, decodeEntity), 100)
  return plain === '' ? 'a web page' : `a web page, "${plain}"`
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' }

function decodeEntity(whole: string, name: string): string {
  const code = Number(/^#(\d{1,6})$/.exec(name)?.[1])
  return Number.isNaN(code) ? (entities[name] ?? whole) : String.fromCodePoint(code)
}

function oneLine(text: string, limit: number): string {
  const line = text.replace(/[\p{Cc}\s]+/gu, ' ').trim()
  return line.length > limit ? `${line.slice(0, limit - 1)}…` : line
}

/** Removes the parts of an address that may be secret. */
export function shown(url: string): string {
  if (!URL.canParse(url)) return url
  const { origin, pathname } = new URL(url)
  return origin + pathname
}

/** Returns ` (through proxy …)` if the answer came through a proxy, which may have written it. */
export function through({ via }: { readonly via?: string | undefined }): string {
  return via === undefined ? '' : ` (through ${via})`
}
