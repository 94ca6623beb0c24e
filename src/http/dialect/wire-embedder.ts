import { cutText } from '../../characters/cut.ts'
import { withinLimit } from '../../clock.ts'
import { isPipeError, PipeError } from '../../error.ts'
import type { JsonObject, JsonValue } from '../../json-value.ts'
import type { ServerAccess } from '../../machine/model-server.ts'
import type { Embedder } from '../../memory/vector-store.ts'
import type { Redact } from '../../redaction/redaction.ts'
import { retryDelay } from '../../reply/backoff.ts'
import { list, object } from '../../wire/json-fields.ts'
import { readBodyText } from '../request-body.ts'
import { endpoint } from './endpoint.ts'
import { requestId } from './errors/http-status.ts'
import { contentTypeOf, notAReply } from './errors/not-a-reply.ts'
import { type Asked, responseError } from './errors/reported-error.ts'
import { postJson } from './post-json.ts'
import { parseWire } from './wire-json.ts'

/** An API that makes vectors of texts, given as `{model, input: [text …]}`. */
export interface EmbeddingDialect {
  /** Path after the base URL. */
  readonly path: string
  /** Lists the vectors of an answer, in the order of the texts. */
  vectors(answer: JsonObject): readonly JsonValue[]
}

export interface EmbedderOptions {
  /** The model as its server calls it. */
  readonly model: string
  /** Removes secrets from every text before it leaves this machine. */
  readonly redact: Redact
  readonly random: () => number
}

/** Texts of a request. */
const mostTexts = 32
/** Characters of a text that are sent, and how few when a model of a small window refuses longer ones. */
const longestText = 8_000
const shortestText = 250
const mostTries = 3
/** Milliseconds to wait for an answer, and before another try: a search waits too. */
const answerMs = 60_000
const longestPauseMs = 5_000
/** Bytes of an answer. */
const maxAnswer = 64 * 1024 * 1024

/**
 * Creates an embedder for the servers of a dialect. Redacts texts, cuts long ones, and retries failures that may pass. Throws the
 * server's error (`auth`, `not_found`, `invalid`, `rate_limited` …), `protocol` for an answer without vectors, `timeout` after 60 s, and
 * the transport's errors.
 */
export function createWireEmbedder(
  access: ServerAccess,
  options: EmbedderOptions,
  dialect: EmbeddingDialect,
): Embedder {
  return new WireEmbedder(access, options, dialect)
}

class WireEmbedder implements Embedder {
  readonly model: string
  readonly #access: ServerAccess
  readonly #options: EmbedderOptions
  readonly #dialect: EmbeddingDialect
  /** Characters that the model's window is known to hold. */
  #longest = longestText

  constructor(access: ServerAccess, options: EmbedderOptions, dialect: EmbeddingDialect) {
    this.model = `${access.name}/${options.model}`
    this.#access = access
    this.#options = options
    this.#dialect = dialect
  }

  async embed(
    texts: readonly string[],
    { signal }: { readonly signal: AbortSignal },
  ): Promise<readonly Float32Array[]> {
    const safe = texts.map(this.#options.redact)
    const vectors: Float32Array[] = []
    for (let start = 0; start < safe.length; start += mostTexts)
      vectors.push(...(await this.#patiently(safe.slice(start, start + mostTexts), signal)))
    return vectors
  }

  async #patiently(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    for (let attempt = 1; ; ) {
      try {
        return await this.#once(
          texts.map((text) => cutText(text, this.#longest)),
          signal,
        )
      } catch (error) {
        if (!isPipeError(error)) throw error
        if (error.code === 'context_overflow' && this.#longest > shortestText) {
          this.#longest /= 2
          continue
        }
        const pause = attempt < mostTries ? retryDelay(error, attempt, this.#options.random) : undefined
        if (pause === undefined || pause > longestPauseMs) throw error
        await this.#access.clock.sleep(pause, signal)
        attempt++
      }
    }
  }

  #once(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    const { name, clock } = this.#access
    const said = `${name} returned no vectors within ${answerMs / 1_000} s`
    const late = (cause: unknown) =>
      new PipeError('timeout', said, { cause, details: { should_retry: 'false' } })
    return withinLimit({ clock, ms: answerMs, signal, late }, (until) => this.#ask(texts, until))
  }

  async #ask(input: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    const { name: provider, apiKey, baseUrl, transport, clock } = this.#access
    const { model } = this.#options
    const url = endpoint(baseUrl, this.#dialect.path)
    const accept = 'application/json'
    const response = await transport.send(postJson(this.#access, url, { model, input }, { accept }), {
      signal,
    })
    const facts = { requestId: requestId(response.headers), via: response.via }
    const asked: Asked = { provider, model, apiKey, url, ...facts }
    const text = await readBodyText(response.body, maxAnswer)
    if (response.status < 200 || response.status >= 300)
      throw responseError(response, text, asked, clock.now())
    const answer = object(parseWire(text))
    if (answer === undefined) throw notAReply({ contentType: contentTypeOf(response), text }, asked)
    return readVectors(this.#dialect.vectors(answer), input.length, asked)
  }
}

/** Throws `protocol` unless there is a vector for each text, all of one size. */
function readVectors(
  values: readonly JsonValue[],
  count: number,
  { provider, model }: Asked,
): readonly Float32Array[] {
  const vectors = values.map((value) => Float32Array.from(list(value), Number))
  const size = vectors[0]?.length ?? 0
  const areSound = vectors.every((vector) => vector.length === size && vector.every(Number.isFinite))
  if (vectors.length === count && size > 0 && areSound) return vectors
  throw new PipeError(
    'protocol',
    `${provider} did not answer with a vector for each text: ${model} may not be an embedding model`,
  )
}
