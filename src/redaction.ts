import { unreachable } from './error.ts'
import { isJsonObject, type JsonValue } from './json-value.ts'
import type { ContentBlock, Message } from './message.ts'
import { present } from './present.ts'

/** Text without its secrets. Linear in its length; the same text gets the same result. */
export type Redact = (text: string) => string

const mark = '[redacted]'

/** Shorter values say nothing: they are found in any text. */
const shortestValue = 8

/** Keys as those who issue them shape them. Nothing precedes them that could belong to a longer word. */
const issued = [
  'sk-[A-Za-z0-9_-]{16,}',
  '[sr]k_(?:live|test)_[A-Za-z0-9]{16,}',
  'gh[opusr]_[A-Za-z0-9]{20,}',
  'github_pat_[A-Za-z0-9_]{20,}',
  'glpat-[A-Za-z0-9_-]{16,}',
  '(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Z0-9])',
  'AIza[A-Za-z0-9_-]{30,}',
  'xox[abeprs]-[A-Za-z0-9-]{10,}',
  'hf_[A-Za-z0-9]{20,}',
  'gsk_[A-Za-z0-9]{20,}',
  'npm_[A-Za-z0-9]{30,}',
]

const shapes = [
  '-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----[^]*?(?:-----END [A-Z0-9 ]{0,40}KEY(?: BLOCK)?-----|$)',
  `(?<![A-Za-z0-9])(?:${issued.join('|')})`,
  // A web token: three parts, of which two are JSON in base64.
  '(?<![\\w-])eyJ[\\w-]{8,}\\.eyJ[\\w-]{8,}\\.[\\w-]*',
]

const secretName = '(?:passw(?:or)?d|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key)'

/** What a secret follows, which stays, and the secret. */
const told = [
  `(${secretName}["']?\\s{0,3}(?:=(?!=)|:(?=\\s{0,3}["']))\\s{0,3}["']?)(?!\\$|[\\w.]{1,60}\\()[^\\s"'&;,<>(){}[\\]]{4,}`,
  `(--${secretName}\\s{1,3}["']?)(?![-$])[^\\s"'[]{4,}`,
  '(\\bbearer[ \\t]{1,4})[\\w.~+/=-]{12,}',
  `(://[^\\s/:@"']{0,64}:)(?!\\$)[^\\s/@"'[]+(?=@)`,
]

/**
 * What every secret of these kinds has in it, and most texts have not: the patterns above take longer to compile than a short run
 * takes.
 */
const hint = new RegExp(
  `-----BEGIN|sk-|[sr]k_|gh[opusr]_|github_pat_|glpat-|AKIA|ASIA|AIza|xox|hf_|gsk_|npm_|eyJ|bearer|://|--${secretName}|${secretName}["']?\\s{0,3}[=:]`,
  'i',
)

/**
 * Replaces secrets with `[redacted]`, from which nothing leads back: these values (those of 8 characters and more), keys of known
 * shapes, private keys, web tokens, and what follows `password=`, `Bearer` or a URL's user name.
 */
export function createRedactor(values: readonly string[]): Redact {
  const known = [...new Set(values)]
    .filter(({ length }) => length >= shortestValue)
    .sort((a, b) => b.length - a.length)
    .map(escapePattern)
  const shaped = new RegExp(shapes.join('|'), 'g')
  const followed = new RegExp(told.join('|'), 'gi')
  const valued = known.length === 0 ? undefined : new RegExp(known.join('|'), 'g')
  return (text) => {
    // Before the shapes, which may take only a part of a value.
    const rest = valued === undefined ? text : text.replace(valued, mark)
    if (!hint.test(rest)) return rest
    return rest.replace(shaped, mark).replace(followed, (_, ...leads) => leadOf(leads) + mark)
  }
}

function leadOf(groups: readonly unknown[]): string {
  const lead = groups.slice(0, told.length).find((group) => group !== undefined)
  return typeof lead === 'string' ? lead : ''
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}

const secretField = new RegExp(`${secretName}$`, 'i')

/** The same value with every text in it redacted, and whole what stands in a field named as a secret. */
export function redactJson(value: JsonValue, redact: Redact): JsonValue {
  if (typeof value === 'string') return redact(value)
  if (Array.isArray(value)) return value.map((entry) => redactJson(entry, redact))
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).map(([key, entry]): [string, JsonValue] => [
    redact(key),
    typeof entry === 'string' && entry !== '' && secretField.test(key) ? mark : redactJson(entry, redact),
  ])
  return Object.fromEntries(entries)
}

/** The message as it may be kept. What a server has signed and no longer fits loses its signature. */
export function redactMessage<M extends Message>(message: M, redact: Redact): M {
  const content = message.content.map((block) => redactBlock(block, redact))
  const details = message.type === 'tool_result' ? message.details : undefined
  return {
    ...message,
    content,
    ...present({ details: details === undefined ? undefined : redactJson(details, redact) }),
  }
}

function redactBlock(block: ContentBlock, redact: Redact): ContentBlock {
  switch (block.type) {
    case 'text': {
      const text = redact(block.text)
      return text === block.text ? block : { type: 'text', text }
    }
    case 'thinking': {
      const thinking = redact(block.thinking)
      return thinking === block.thinking ? block : { type: 'thinking', thinking }
    }
    case 'tool_call':
      return {
        ...block,
        arguments: redactJson(block.arguments, redact),
        ...present({
          argumentsRaw: block.argumentsRaw === undefined ? undefined : redact(block.argumentsRaw),
        }),
      }
    case 'image':
    case 'document':
      return block
    default:
      return unreachable(block)
  }
}
