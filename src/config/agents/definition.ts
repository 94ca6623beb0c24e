import type { AgentDefinition } from '../../actor.ts'
import { oneLine } from '../../characters/one-line.ts'
import { withoutTags } from '../../characters/tag-characters.ts'
import { ok, type Result, refused } from '../../machine/result.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { permissionModes } from '../../permission.ts'
import { plainName } from '../models/model-name.ts'
import { readPermissionMode } from '../permission-mode.ts'
import { type FrontMatterField, readList, readScalar, splitFrontMatter } from './front-matter.ts'
import { readPeerModel } from './peer-agents.ts'

/** An agent as its file defines it, with what was left out of it. */
export interface ReadDefinition {
  readonly definition: AgentDefinition
  /** Name what has no effect, each with its line: `4: …`. */
  readonly notes: readonly string[]
}

type Origin = Pick<AgentDefinition, 'source' | 'path'>
type Settings = Partial<Omit<AgentDefinition, 'source' | 'path' | 'prompt'>>

/** The settings that a field stands for, and a note if not all of it has an effect. */
interface ReadField {
  readonly settings: Settings
  readonly note?: string
}

/** Finds the tool that a word names, by its own name or by that of another agent. `undefined` if there is none. */
export type FindTool = (word: string) => string | undefined

type ReadValue = (field: FrontMatterField, origin: Origin, findTool: FindTool) => Result<ReadField>

/** Reads the text of an agent's file. Refuses a broken one with a reason that begins with the line: `3: …`. */
export function readDefinition(content: string, origin: Origin, findTool: FindTool): Result<ReadDefinition> {
  const split = splitFrontMatter(content)
  if (split.type === 'refused') return split
  const { fields, body } = split.value
  let settings: Settings = {}
  const notes: string[] = []
  for (const field of fields) {
    const read = readerOf(field)?.(field, origin, findTool) ?? ignored(field)
    if (read.type === 'refused') return read
    settings = { ...settings, ...read.value.settings }
    if (read.value.note !== undefined) notes.push(`${field.line}: ${read.value.note}`)
  }
  const { name, description, ...rest } = settings
  if (name === undefined) return refused('1: the field name is missing')
  if (description === undefined) return refused('1: the field description is missing')
  if (rest.model !== undefined && rest.route !== undefined)
    return refused('1: it has a model and a route; keep one')
  const prompt = withoutTags(body.trim())
  return ok({ definition: { name, description, ...rest, ...origin, prompt }, notes })
}

const readers: Readonly<Record<string, ReadValue>> = {
  name: scalar((text) =>
    /^[a-z0-9][\w-]{0,63}$/i.test(text)
      ? { settings: { name: text } }
      : 'name takes letters, digits, - and _, at most 64',
  ),
  description: scalar((text) => ({ settings: { description: withoutTags(text) } })),
  model: scalar(readModel),
  route: scalar((text) =>
    plainName.test(text) ? { settings: { route: text } } : 'route takes the name of a route, such as fast',
  ),
  tools: readTools,
  mode: scalar(readMode),
  permissionMode: scalar(readMode),
  isolation: scalar((text) => {
    const isolation = (['worktree', 'none'] as const).find((one) => one === text)
    return isolation === undefined ? 'isolation takes worktree or none' : { settings: { isolation } }
  }),
}

function readerOf({ name }: FrontMatterField): ReadValue | undefined {
  return Object.hasOwn(readers, name) ? readers[name] : undefined
}

/** Reads a field with one text. `read` returns what was expected if the text is not. */
function scalar(read: (text: string, origin: Origin) => ReadField | string): ReadValue {
  return (field, origin) => {
    const text = readScalar(field)
    if (text.type === 'refused') return text
    const value = read(text.value, origin)
    return typeof value === 'string'
      ? refused(`${field.line}: ${value}, not ${excerpt(text.value)}`)
      : ok(value)
  }
}

function ignored({ name }: FrontMatterField): Result<ReadField> {
  return ok({ settings: {}, note: `ignored the unknown field ${name}` })
}

const modelText = /^[^\s/]{1,100}\/[\x21-\x7e]{1,200}$/

function readModel(text: string, { source }: Origin): ReadField | string {
  const isOfProject = source === 'project' || source === 'peer'
  // A script is a file of the project that speaks for the model.
  if (isOfProject && text.startsWith('replay/')) return 'model takes no script in a project'
  const settings = source === 'peer' ? readPeerModel(text) : undefined
  if (settings !== undefined || modelText.test(text)) return { settings: settings ?? { model: text } }
  return source === 'peer'
    ? { settings: {}, note: `ignored the unknown model ${excerpt(text)}` }
    : 'model takes provider/model; the name of a route goes in the field route'
}

function readMode(text: string): ReadField | string {
  const mode = readPermissionMode(text)
  return mode === undefined ? `mode takes ${permissionModes.join(', ')}` : { settings: { mode } }
}

function readTools(field: FrontMatterField, _origin: Origin, findTool: FindTool): Result<ReadField> {
  const list = readList(field)
  if (list.type === 'refused') return list
  const found = list.value.map((word) => ({ word, name: findTool(word) }))
  const unknown = found.flatMap(({ word, name }) => (name === undefined ? [excerpt(word)] : []))
  const tools = [...new Set(found.flatMap(({ name }) => name ?? []))]
  const more = unknown.length > 10 ? ` and ${unknown.length - 10} more` : ''
  const note = unknown.length === 0 ? undefined : `there is no tool ${unknown.slice(0, 10).join(', ')}${more}`
  return ok({ settings: { tools }, ...omitUndefined({ note }) })
}

function excerpt(text: string): string {
  return JSON.stringify(oneLine(text, 40))
}
