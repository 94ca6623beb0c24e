import type { AgentDefinition } from '../../actor.ts'
import { oneLine } from '../../characters/one-line.ts'
import type { JsonObject, JsonValue } from '../../json-value.ts'
import { allOf, ok, type Result, refused } from '../../machine/result.ts'
import { readTextLeniently } from '../skills/lenient-fields.ts'
import { type FrontMatterField, readList, readScalar } from './front-matter.ts'
import { readNested } from './nested-value.ts'

/** A field of an agent's file, whatever the format of the file. Reading refuses with a reason that begins with the line: `3: …`. */
export interface AgentField {
  readonly name: string
  /** The line in the file, from 1. */
  readonly line: number
  text(): Result<string>
  /** Reads what limits nothing: a text that breaks the format is taken as it is written. */
  words(): string
  list(): Result<readonly string[]>
  value(): Result<JsonValue>
}

/** Reads the fields of a file. */
export type AgentSettings = Partial<Omit<AgentDefinition, 'source' | 'path' | 'prompt'>>

/** The settings that a field stands for, and a note if not all of it has an effect. */
export interface ReadField {
  readonly settings: AgentSettings
  readonly note?: string
}

/** Finds the tool that a word names, by its own name or by that of another agent. `undefined` if there is none. */
export type FindTool = (word: string) => string | undefined

/** Knows the tools that files name. */
export interface KnownTools {
  readonly find: FindTool
  /** Whether `Tool(what)` is a rule about some calls of a tool. */
  takesRule(text: string): boolean
  /** The tool that starts agents. */
  readonly starter: string
}

/** Reads the fields of front matter. */
export function markdownField(field: FrontMatterField): AgentField {
  return {
    name: field.name,
    line: field.line,
    text: () => readScalar(field),
    words: () => readTextLeniently(field).text,
    list: () => readList(field),
    value: () => readNested(field),
  }
}

/** Reads the fields of a document. */
export function documentFields(
  values: JsonObject,
  lines: ReadonlyMap<string, number>,
): readonly AgentField[] {
  return Object.entries(values).map(([name, value]): AgentField => {
    const line = lines.get(name) ?? 1
    const text = (one: JsonValue): Result<string> => {
      if (typeof one === 'object') return refused(`${line}: ${name} takes text`)
      return ok(String(one))
    }
    return {
      name,
      line,
      text: () => text(value),
      words: () => (typeof value === 'object' ? '' : String(value)),
      list: () => (Array.isArray(value) ? allOf(value.map(text)) : allOf([text(value)])),
      value: () => ok(value),
    }
  })
}

/** Quotes a text for a note. */
export function shownWord(text: string): string {
  return JSON.stringify(oneLine(text, 40))
}
