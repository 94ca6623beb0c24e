import { describe, expect, it } from 'vitest'
import type { Dialect, ServerAccess } from '../../src/machine/model-server.ts'
import type { HttpRequest } from '../../src/machine/transport.ts'
import type { Request } from '../../src/provider.ts'
import { read } from '../support/conversations/read-tool.ts'
import { text } from '../support/messages/messages.ts'
import { ask } from '../support/models/asking.ts'
import { player } from '../support/models/playback.ts'
import { wireOf } from '../support/models/wires.ts'

interface Address {
  readonly headers: Readonly<Record<string, string>>
  /** The header of the key `k-1`. */
  readonly key: Readonly<Record<string, string>>
  /** Addresses of requests, each with its base URL. Default: for the model `m-1`. */
  readonly urls: readonly [baseUrl: string, url: string, model?: string][]
}

const json = 'application/json'
const headers = { 'content-type': json, accept: 'text/event-stream' }
const key = { authorization: 'Bearer k-1' }
const action = ':streamGenerateContent'
const gemini = `models/m-1${action}`

const addresses: Readonly<Record<Dialect, Address>> = {
  anthropic: {
    headers: { 'content-type': json, accept: json, 'anthropic-version': '2023-06-01' },
    key: { 'x-api-key': 'k-1' },
    urls: [
      ['https://host', 'https://host/v1/messages'],
      ['https://host/', 'https://host/v1/messages'],
      ['https://host/proxy?tenant=2', 'https://host/proxy/v1/messages?tenant=2'],
    ],
  },
  'openai-chat': {
    headers,
    key,
    urls: [
      ['https://host/v1/', 'https://host/v1/chat/completions'],
      ['https://host/v1?api-version=2', 'https://host/v1/chat/completions?api-version=2'],
    ],
  },
  'openai-responses': {
    headers,
    key,
    urls: [
      ['https://host/v1', 'https://host/v1/responses'],
      ['https://host/openai/v1/?api-version=2', 'https://host/openai/v1/responses?api-version=2'],
    ],
  },
  gemini: {
    headers,
    key: { 'x-goog-api-key': 'k-1' },
    urls: [
      ['https://host/', `https://host/v1beta/${gemini}?alt=sse`],
      ['https://host/v1beta', `https://host/v1beta/${gemini}?alt=sse`],
      ['https://host/v1/', `https://host/v1/${gemini}?alt=sse`],
      ['https://host/v1/publishers/google', `https://host/v1/publishers/google/${gemini}?alt=sse`],
      ['https://host/proxy?tenant=2', `https://host/proxy/v1beta/${gemini}?tenant=2&alt=sse`],
      ['https://host', `https://host/v1beta/${gemini}?alt=sse`, 'models/m-1'],
      ['https://host', `https://host/v1beta/tunedModels/mine${action}?alt=sse`, 'tunedModels/mine'],
      ['https://host', `https://host/v1beta/models/team/a%3Fb${action}?alt=sse`, 'team/a?b'],
    ],
  },
  ollama: {
    headers: { ...headers, accept: 'application/x-ndjson' },
    key,
    urls: [
      ['http://host:11434/', 'http://host:11434/api/chat'],
      ['https://host/proxy?tenant=2', 'https://host/proxy/api/chat?tenant=2'],
    ],
  },
}

describe.each(Object.values(wireOf))('a request to $dialect', ({ dialect, connect, events }) => {
  const { headers, key, urls } = addresses[dialect]
  const play = player(connect, { name: dialect, baseUrl: 'https://host' })
  const post = async (access: Partial<ServerAccess>, request: Partial<Request> = {}) => {
    const sent: HttpRequest[] = []
    await ask(play({ bytes: events([text('a')]).join('') }, { ...access, sent }), {
      model: 'm-1',
      ...request,
    })
    return sent[0]
  }

  it.each(urls)(
    'under %s goes to %s, and reveals nothing of the machine',
    async (baseUrl, url, model = 'm-1') => {
      const body = expect.stringContaining('hello')
      expect(await post({ baseUrl }, { model })).toEqual({ method: 'POST', url, headers, body })
    },
  )

  it('carries the key and further headers', async () => {
    const sent = await post({ apiKey: 'k-1', headers: { 'x-title': 'pipe' } })
    expect(sent?.headers).toEqual({ ...headers, ...key, 'x-title': 'pipe' })
  })

  it('carries the key in the header that the server wants', async () => {
    const sent = await post({ apiKey: 'k-1', quirks: { keyHeader: 'api-key' } })
    expect(sent?.headers).toEqual({ ...headers, 'api-key': 'k-1' })
  })

  it.skipIf(dialect === 'gemini')('holds schemas whose top is a plain object', async () => {
    const properties = { a: { type: 'string' } }
    const parameters = { type: 'object', anyOf: [{ properties, required: ['a'] }] }
    const sent = await post({}, { tools: [{ ...read, parameters }] })
    expect(sent?.body).toContain(JSON.stringify({ type: 'object', properties }))
  })
})
