import { isJsonObject, type JsonObject } from '../../json-value.ts'
import { ok, type Result, refused } from '../../machine/result.ts'
import { parseToml } from '../toml-document.ts'

/** A TOML file, with the line on which each of its keys stands first. */
export interface TomlDocument {
  readonly values: JsonObject
  readonly lines: ReadonlyMap<string, number>
}

/** Reads TOML; dates become texts. Refuses what it cannot read with a reason that begins with the line: `3: …`. */
export function readToml(content: string): Result<TomlDocument> {
  const text = content.replace(/^\ufeff/, '')
  try {
    const values: unknown = JSON.parse(JSON.stringify(parseToml(text)))
    return ok({ values: isJsonObject(values) ? values : {}, lines: keyLines(text) })
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return refused(error.message.replace(/^(\d+):\d+: /, '$1: '))
  }
}

/** Finds the lines of keys and of the first names of tables, outside of texts on several lines. */
function keyLines(text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>()
  let isInText = false
  for (const [at, line] of text.split('\n').entries()) {
    const [, key] = /^\s*\[{0,2}\s*["']?([\w-]+)/.exec(line) ?? []
    if (!isInText && key !== undefined && !lines.has(key)) lines.set(key, at + 1)
    if ((line.split(/"""|'''/).length - 1) % 2 === 1) isInText = !isInText
  }
  return lines
}
