import { isDeeper, isJsonObject, type JsonObject, type JsonValue, textField } from '../../json-value.ts'

/** A tool as its server lists it. */
export interface ListedTool {
  readonly name: string
  readonly description: string
  /** JSON Schema of an object. */
  readonly schema: JsonObject
  /** The server says that a call changes nothing, which nobody checks. */
  readonly saysReadOnly: boolean
}

/** Longest description, and largest schema in characters, that a model gets. */
const longest = { description: 2_048, schema: 32_000 }

/** Makes foreign text safe for people and models. */
export type CleanText = (text: string) => string

/** Returns the description of a tool, cleaned and cut. */
function describe(value: JsonValue, clean: CleanText): string {
  const text = textField(value, 'description') ?? textField(value, 'title') ?? ''
  return clean(text.slice(0, 4 * longest.description)).slice(0, longest.description)
}

/** The tools of a list, and the names of those that cannot be used. */
export interface ListedTools {
  readonly tools: readonly ListedTool[]
  readonly unusable: readonly string[]
}

/** Reads the tools of a list. One that cannot be used costs only itself. */
export function readListedTools(listed: readonly JsonValue[], clean: CleanText): ListedTools {
  const read = listed.map((one) => ({
    name: textField(one, 'name') ?? '(no name)',
    tool: readTool(one, clean),
  }))
  return {
    tools: read.flatMap(({ tool }) => tool ?? []),
    unusable: read.flatMap(({ name, tool }) => (tool === undefined ? [name.slice(0, 100)] : [])),
  }
}

function readTool(value: JsonValue, clean: CleanText): ListedTool | undefined {
  const name = textField(value, 'name')
  if (!isJsonObject(value) || name === undefined || name === '' || name.length > 200) return undefined
  const schema = readSchema(value['inputSchema'])
  if (schema === undefined) return undefined
  const { annotations } = value
  return {
    name,
    description: describe(value, clean),
    schema,
    saysReadOnly: isJsonObject(annotations) && annotations['readOnlyHint'] === true,
  }
}

/** Returns a schema of an object, as every provider wants it. A tool without one takes nothing. */
function readSchema(value: JsonValue | undefined): JsonObject | undefined {
  if (value === undefined || value === null) return { type: 'object', properties: {} }
  if (!isJsonObject(value) || isDeeper(value, 50)) return undefined
  if (JSON.stringify(value).length > longest.schema) return undefined
  const { type } = value
  if (type !== undefined && type !== 'object') return undefined
  const { $schema: _, ...schema } = value
  return { properties: {}, ...schema, type: 'object' }
}
