import { describe, expect, it } from 'vitest'
import { answerCheck } from '../../support/live/api-check.ts'
import { serveParts } from '../../support/live/served.ts'

/** The parts of OpenAPI 3.1 that its own schema requires, as far as the server uses them. */
interface Described {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
  readonly security: readonly object[]
}

type Content = Readonly<Record<string, { readonly schema?: object }>>

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly security?: readonly object[]
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean }[]
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>
}

async function readDocument(): Promise<Described> {
  const { call } = await serveParts()
  const { text } = await call('GET', '/openapi.json')
  return JSON.parse(text)
}

function operationsOf({ paths }: Described): readonly (readonly [path: string, Operation])[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => [path, operation] as const),
  )
}

describe('the description of the server', () => {
  it('is given to those with the token alone', async () => {
    const { url } = await serveParts()
    expect((await fetch(`${url}/openapi.json`)).status).toBe(401)
  })

  it('is an OpenAPI 3.1 document with unique operations, described answers and declared path parameters', async () => {
    const document = await readDocument()
    const operations = operationsOf(document)
    expect(document.openapi).toBe('3.1.0')
    expect(new Set(operations.map(([, { operationId }]) => operationId)).size).toBe(operations.length)
    for (const [path, { parameters = [], responses, summary }] of operations) {
      const declared = parameters.filter((one) => one.in === 'path' && one.required).map(({ name }) => name)
      expect(declared, path).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
      expect(summary, path).not.toBe('')
      for (const [status, { description }] of Object.entries(responses)) {
        expect(status, path).toMatch(/^([1-5]\d\d|[1-5]XX|default)$/)
        expect(description, path).not.toBe('')
      }
    }
  })

  it('refers to nothing that it does not define', async () => {
    const document = await readDocument()
    const refs = JSON.stringify(document).match(/(?<="\$ref":")[^"]+/g) ?? []
    const defined = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`)
    expect([...new Set(refs)].filter((ref) => !defined.includes(ref))).toEqual([])
  })

  it('says which operations need no token', async () => {
    const open = operationsOf(await readDocument()).flatMap(([path, { security }]) =>
      security?.length === 0 ? [path] : [],
    )
    expect(open.filter((path) => path !== '/' && !path.startsWith('/page/'))).toEqual([
      '/health',
      '/health/ready',
      '/health/live',
    ])
  })

  it('refuses an answer that is not as it says', async () => {
    const check = answerCheck(await readDocument())
    const answer = { method: 'GET', path: '/health', status: 200 }
    const timestamp = '2025-01-20T10:00:00.000Z'
    expect(() => check({ ...answer, json: { status: 'healthy', timestamp } })).not.toThrow()
    expect(() => check({ ...answer, json: { status: 'fine', timestamp } })).toThrow('not as described')
    expect(() => check({ ...answer, status: 204, json: undefined })).toThrow('is not described')
  })
})
