import { basename, extname } from 'node:path'
import { type AgentDefinition, usableAgentName } from '../../actor.ts'
import { withoutTags } from '../../characters/tag-characters.ts'
import { ok, type Result, refused } from '../../machine/result.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { firstLine } from '../skills/read-skill.ts'
import { type AgentField, documentFields, type KnownTools, markdownField } from './agent-field.ts'
import { type FileOrigin, readFields } from './agent-fields.ts'
import { readToml } from './agent-toml.ts'
import { splitFrontMatter } from './front-matter.ts'

/** An agent as its file defines it, with what was left out of it. */
export interface ReadDefinition {
  readonly definition: AgentDefinition
  /** Name what has no effect, each with its line: `4: …`. */
  readonly notes: readonly string[]
}

/** A file in its fields, and its prompt. */
export interface AgentFile {
  readonly fields: readonly AgentField[]
  readonly prompt: string
}

/** Reads the text of an agent's file. Refuses a broken one with a reason that begins with the line: `3: …`. */
export function readDefinition(
  content: string,
  origin: FileOrigin,
  known: KnownTools,
): Result<ReadDefinition> {
  const { path = '' } = origin
  const file = extname(path).toLowerCase() === '.toml' ? readTomlFile(content) : readMarkdown(content)
  return file.type === 'refused' ? file : defineAgent(file.value, origin, known)
}

/** Makes an agent of its fields and prompt. Refuses as `readDefinition` does. */
export function defineAgent(file: AgentFile, origin: FileOrigin, known: KnownTools): Result<ReadDefinition> {
  const { path = '' } = origin
  const read = readFields(file.fields, known, origin)
  if (read.type === 'refused') return read
  const { settings } = read.value
  const notes = [...read.value.notes]
  if (settings.model !== undefined && settings.route !== undefined)
    return refused('1: it has a model and a route; keep one')
  const prompt = withoutTags(file.prompt.trim())
  const name = nameOf(settings.name, path)
  if (name === undefined) return refused('1: the field name is missing')
  if (settings.name !== name) notes.push(`1: it is called ${name}: use only letters, digits, - and _`)
  const description = settings.description ?? firstLine(prompt)
  if (description === '') return refused('1: the field description is missing')
  if (settings.description === undefined)
    notes.push('1: the field description is missing, so its first line stands for it')
  return ok({
    definition: { ...withoutDisallowed(settings), name, description, ...origin, prompt },
    notes,
  })
}

/** Returns a name that can be used: the written one, else that of the file. */
function nameOf(written: string | undefined, path: string): string | undefined {
  const file = basename(path, extname(path))
  return [written ?? file, file].map(usableAgentName).find((name) => name !== '')
}

type Tools = Pick<AgentDefinition, 'tools' | 'onlyCalls' | 'disallowedTools'>

/** Takes the tools that a file disallows from those that it names. */
function withoutDisallowed<Settings extends Partial<Tools>>(settings: Settings): Settings {
  const { tools, disallowedTools = [] } = settings
  const offered = tools?.filter((tool) => !disallowedTools.includes(tool))
  return { ...settings, ...omitUndefined({ tools: offered }) }
}

function readMarkdown(content: string): Result<AgentFile> {
  const split = splitFrontMatter(content)
  if (split.type === 'refused') return split
  return ok({ fields: split.value.fields.map(markdownField), prompt: split.value.body })
}

/** Reads a document whose prompt is a field. */
function readTomlFile(content: string): Result<AgentFile> {
  const document = readToml(content)
  if (document.type === 'refused') return document
  const { developer_instructions: prompt = '', ...values } = document.value.values
  if (typeof prompt !== 'string') return refused('1: developer_instructions takes text')
  return ok({ fields: documentFields(values, document.value.lines), prompt })
}
