import { unreachable } from '../error.ts'
import { isJsonObject, type JsonValue } from '../json-value.ts'
import type { ContentBlock, Message } from '../message.ts'
import { omitUndefined } from '../omit-undefined.ts'
import { mayHoldShape, mayTellSecret, secretField, shapedSecrets, toldSecrets } from './secret-patterns.ts'

/** Removes secrets from a text. Linear in its length and deterministic. */
export type Redact = (text: string) => string

const mark = '[redacted]'

/** Minimum length of a known value. A shorter one could match ordinary text. */
const shortestValue = 8

/** A run of base64 that may hold a key. */
const encoded = /[\w+/-]{24,65536}={0,2}/g

/**
 * Replaces secrets with `[redacted]`: these values (from 8 characters, also as spelled in JSON or a URL), keys of known shapes,
 * private keys, web tokens, both of these in base64, and what follows `password=`, `Bearer`, a URL's user name and the like.
 */
export function createRedactor(values: readonly string[]): Redact {
  const known = [...new Set(values.filter(({ length }) => length >= shortestValue).flatMap(spellings))]
    .sort((a, b) => b.length - a.length)
    .map(escapePattern)
  // Compiled on first use: compiling takes longer than a short run should.
  let shaped: RegExp | undefined
  let told: RegExp | undefined
  const valued = known.length === 0 ? undefined : new RegExp(known.join('|'), 'g')
  const withoutKeys = (text: string) => {
    // Before the shapes, which might match only a part of a value.
    const rest = valued === undefined ? text : text.replace(valued, mark)
    if (!mayHoldShape(rest)) return rest
    shaped ??= new RegExp(shapedSecrets.join('|'), 'g')
    return rest.replace(shaped, mark)
  }
  const decode = (run: string) => {
    const text = Buffer.from(run, 'base64').toString()
    return withoutKeys(text) === text ? run : mark
  }
  return (text) => {
    const rest = withoutKeys(text).replace(encoded, decode)
    if (!mayTellSecret(rest)) return rest
    told ??= new RegExp(toldSecrets.join('|'), 'gim')
    return rest.replace(told, (_, ...leads) => leadOf(leads) + mark)
  }
}

/** Returns a value as it is, in JSON, in JSON within JSON, and in a URL. */
function spellings(value: string): readonly string[] {
  const inJson = (text: string) => JSON.stringify(text).slice(1, -1)
  const wellFormed = Buffer.from(value).toString()
  return [value, inJson(value), inJson(inJson(value)), encodeURIComponent(wellFormed)]
}

function leadOf(groups: readonly unknown[]): string {
  const lead = groups.slice(0, toldSecrets.length).find((group) => group !== undefined)
  return typeof lead === 'string' ? lead : ''
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}

/** Redacts every text of a JSON value, and the whole text of fields named as secrets. */
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

/** Redacts a message for storage. A block that no longer fits its server's signature loses it. */
export function redactMessage<M extends Message>(message: M, redact: Redact): M {
  const content = message.content.map((block) => redactBlock(block, redact))
  const details = message.type === 'tool_result' ? message.details : undefined
  const keep = message.metadata?.['keep']
  return {
    ...message,
    content,
    ...omitUndefined({
      details: details === undefined ? undefined : redactJson(details, redact),
      // The user's own words; all other metadata are the program's.
      metadata: keep === undefined ? message.metadata : { ...message.metadata, keep: redact(keep) },
    }),
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
        ...omitUndefined({
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
