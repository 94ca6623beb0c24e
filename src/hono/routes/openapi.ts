import * as z from 'zod'
import { eventLineSchema } from '../../json/documents/event-schema.ts'
import { interactionSchema, responseSchema } from '../../json/documents/interaction-schema.ts'
import { messageSchema, usageSchema } from '../../json/documents/schema.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../json-value.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { eventStreamType } from '../event-stream.ts'
import { chatErrorSchema, errorResponseSchema, errorsAt, messagesErrorSchema } from '../refusal.ts'
import { type DescribedAnswer, defineRoute, nothing, type Route } from '../route.ts'

/** The schemas that have a name of their own in the document. */
const named: Readonly<Record<string, z.ZodType>> = {
  ErrorResponse: errorResponseSchema,
  ChatError: chatErrorSchema,
  MessagesError: messagesErrorSchema,
  Event: eventLineSchema,
  Interaction: interactionSchema,
  InteractionResponse: responseSchema,
  Message: messageSchema,
  Usage: usageSchema,
}

/** The refusals that any route may answer with. */
const refusals: Readonly<Record<string, string>> = {
  400: 'The request does not match its schema; `details.field` and `details.reason` name the fault.',
  401: 'The token is missing or wrong.',
  403: 'The Host or Origin is not one of the server, or a permission is missing.',
  404: 'There is no such thing.',
  409: 'It cannot be done in this state, or another process holds the session (`details.pid`).',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  429: 'Too many requests; `Retry-After` says when to go on.',
  '4XX': 'The request was refused.',
  '5XX': 'The request failed.',
}

/** The route that describes the others. */
export function openApiRoute(routes: () => readonly Route[]): Route {
  let text: string | undefined
  const route: Route = defineRoute({
    ...({
      method: 'get',
      path: '/openapi.json',
      operation: 'describe',
      query: nothing,
      body: nothing,
    } as const),
    summary: 'This document',
    answers: { 200: { description: 'An OpenAPI 3.1 document.', schema: z.looseObject({}) } },
    handle: async () => {
      text ??= JSON.stringify(describeApi([...routes(), route]))
      return new Response(text, { headers: { 'content-type': 'application/json' } })
    },
  })
  return route
}

/** Describes the routes as an OpenAPI 3.1 document. */
function describeApi(routes: readonly Route[]): JsonObject {
  const schemas = new Schemas()
  const paths: Record<string, JsonObject> = {}
  for (const route of routes)
    paths[route.path] = { ...paths[route.path], [route.method]: describeRoute(route, schemas) }
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: { title: 'pipe serve', version: '1', summary: 'A coding agent: its sessions, tasks and questions' },
    security: [{ token: [] }],
    paths,
    components: {
      schemas: schemas.all,
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    },
  }
}

function describeRoute(route: Route, schemas: Schemas): JsonObject {
  const { path, operation, summary, answers, isOpen, isBodyOptional } = route
  const parameters = [...pathParameters(path), ...queryParameters(schemas.read(route.query, operation))]
  const body = route.body === nothing ? undefined : schemas.read(route.body, operation)
  const own = Object.entries(answers).map(([status, answer]) => [
    status,
    describeAnswer(answer, schemas, operation),
  ])
  return {
    operationId: operation,
    summary,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(isOpen === true ? { security: [] } : {}),
    ...omitUndefined({
      requestBody: body && {
        required: isBodyOptional !== true,
        content: { 'application/json': { schema: body } },
      },
    }),
    responses: { ...describeRefusals(route, schemas), ...Object.fromEntries(own) },
  }
}

function describeAnswer(
  { description, schema, events, mediaType = 'application/json' }: DescribedAnswer,
  schemas: Schemas,
  operation: string,
): JsonObject {
  if (schema === undefined && mediaType === 'application/json') return { description }
  const content = schema === undefined ? {} : { schema: schemas.read(schema, operation) }
  const streamed = events && { [eventStreamType]: { schema: schemas.read(events, operation) } }
  return { description, content: { [mediaType]: content, ...streamed } }
}

function describeRefusals({ path, isOpen, body }: Route, schemas: Schemas): JsonObject {
  const schema = schemas.read(errorsAt(path).schema, 'refusal')
  const content = { 'application/json': { schema } }
  const left: readonly string[] = [
    ...(isOpen === true ? ['401'] : []),
    ...(body === nothing ? ['413', '415'] : []),
  ]
  return Object.fromEntries(
    Object.entries(refusals).flatMap(([status, description]) =>
      left.includes(status) ? [] : [[status, { description, content }]],
    ),
  )
}

function pathParameters(path: string): readonly JsonObject[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

function queryParameters({ properties, required }: JsonObject): readonly JsonObject[] {
  if (!isJsonObject(properties)) return []
  const names = Array.isArray(required) ? required : []
  return Object.entries(properties).map(([name, schema = {}]) => ({
    name,
    in: 'query',
    required: names.includes(name),
    schema,
  }))
}

/** Converts schemas, and collects those that have a name. */
class Schemas {
  readonly all: Record<string, JsonValue> = {}
  readonly #names = z.registry<{ readonly id: string }>()

  constructor() {
    for (const [id, schema] of Object.entries(named)) this.#names.add(schema, { id })
  }

  /** Returns the JSON Schema, with references to the collected ones. `operation` prefixes the name of a recursive one without any. */
  read(schema: z.ZodType, operation: string): JsonObject {
    const metadata = this.#names
    const written = JSON.stringify(
      z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', metadata }),
    ).replace(/"\$ref":"#\/\$defs\/(?:__schema)?(\w+)"/g, (whole, name: string) =>
      whole.includes('/__schema')
        ? `"$ref":"#/components/schemas/${operation}_${name}"`
        : `"$ref":"#/components/schemas/${name}"`,
    )
    const { $schema: _, $defs = {}, ...own } = requireObject(JSON.parse(written))
    for (const [name, part = {}] of Object.entries(requireObject($defs)))
      this.all[name.replace(/^__schema/, `${operation}_`)] = part
    return own
  }
}

function requireObject(value: JsonValue): JsonObject {
  if (!isJsonObject(value)) throw new Error('a JSON Schema is an object')
  return value
}
