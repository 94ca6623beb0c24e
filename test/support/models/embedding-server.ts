import type { IncomingMessage, ServerResponse } from 'node:http'
import { serve } from '../servers/web-server.ts'

/** Words that mean the same. A text's vector counts its words of each group; all others are one group. */
export type Meanings = readonly (readonly string[])[]

export interface EmbeddingRequest {
  readonly path: string
  readonly authorization: string | undefined
  readonly model: string
  readonly input: readonly string[]
}

/** A server that speaks both dialects of embeddings. Texts of the same meaning have the same vector. */
export async function openEmbeddingServer(meanings: Meanings = []) {
  const requests: EmbeddingRequest[] = []
  const failures: { readonly status: number; readonly body: string }[] = []
  const server = await serve(async (request, response) => {
    const path = request.url ?? ''
    const { model, input } = JSON.parse(await bodyOf(request))
    requests.push({ path, authorization: request.headers.authorization, model, input })
    const failure = failures.shift()
    if (failure !== undefined) return answer(response, failure.status, failure.body)
    const vectors = input.map((text: string) => vectorOf(text, meanings))
    // Entries may come in any order.
    const data = vectors.map((embedding: number[], index: number) => ({ index, embedding })).reverse()
    answer(response, 200, JSON.stringify(path === '/api/embed' ? { embeddings: vectors } : { data }))
  })
  return {
    url: server.url,
    port: server.port,
    requests,
    /** Connections accepted so far. */
    connections: () => server.connections,
    /** All texts that were sent. */
    texts: () => requests.flatMap(({ input }) => input),
    /** Answers the next requests so. */
    fail: (...next: typeof failures) => void failures.push(...next),
  }
}

/** Returns the vector of a text. */
export function vectorOf(text: string, meanings: Meanings): readonly number[] {
  const words = text.toLowerCase().match(/\w+/g) ?? []
  const counts = meanings.map((group) => words.filter((word) => group.includes(word)).length)
  const others = counts.every((count) => count === 0) ? 1 : 0
  return [...counts, others]
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

function answer(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body)
}
