import * as z from 'zod'

/** An answer of the server. */
export interface ServerAnswer {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly status: number
  /** Default: `application/json`. */
  readonly mediaType?: string
  /** The parsed body, or the data of one event of a stream. */
  readonly json: unknown
}

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
}

interface ApiOperation {
  readonly responses: Readonly<Record<string, ApiResponse>>
}

interface ApiResponse {
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>
}

/** Returns a function that holds answers against an OpenAPI document, and throws where one is not as it says. */
export function answerCheck(document: ApiDocument): (answer: ServerAnswer) => void {
  const known = new Map<object, z.ZodType>()
  const read = (schema: object) => {
    const found = known.get(schema) ?? readSchema(schema, document.components.schemas)
    known.set(schema, found)
    return found
  }
  return (answer) => {
    const { method, path, status, mediaType = 'application/json', json } = answer
    const label = `${method} ${path}: ${status}`
    const response = findResponse(document, answer)
    // A path without a route has no description.
    if (response === undefined && status >= 400) return requireFit(read(refusal), json, label)
    if (response === undefined) throw new Error(`${label} is not described`)
    const content = response.content?.[mediaType]
    if (content === undefined) throw new Error(`${label} is not described as ${mediaType}`)
    if (content.schema !== undefined) requireFit(read(content.schema), json, label)
  }
}

const refusal = { $ref: '#/components/schemas/ErrorResponse' }

function findResponse(
  { paths }: ApiDocument,
  { method, path, status }: ServerAnswer,
): ApiResponse | undefined {
  const template = Object.keys(paths)
    .filter((one) => new RegExp(`^${one.replace(/\{\w+\}/g, '[^/]+')}$`).test(path))
    .sort((a, b) => a.split('{').length - b.split('{').length)[0]
  const responses = paths[template ?? '']?.[method.toLowerCase()]?.responses
  return responses?.[status] ?? responses?.[`${Math.floor(status / 100)}XX`]
}

function readSchema(schema: object, components: Readonly<Record<string, object>>): z.ZodType {
  const text = JSON.stringify({ ...schema, $defs: components })
  return z.fromJSONSchema(JSON.parse(text.replaceAll('"#/components/schemas/', '"#/$defs/')))
}

function requireFit(schema: z.ZodType, json: unknown, label: string): void {
  const { success, error } = schema.safeParse(json)
  if (!success) throw new Error(`${label} is not as described: ${error.message}\n${JSON.stringify(json)}`)
}
