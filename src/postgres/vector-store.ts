import { PipeError, throwIfAborted } from '../error.ts'
import type { NewId } from '../id.ts'
import {
  requireDimensions,
  type ScoredVector,
  unitVector,
  type VectorEntry,
  type VectorMetadata,
  type VectorSearchOptions,
  type VectorStore,
} from '../memory/vector-store.ts'
import type { Database, Query } from './database.ts'
import type { Schema } from './database-schema.ts'

export interface VectorStoreParts {
  readonly database: Database
  readonly schema: Schema
  readonly newId: Pick<NewId, 'message'>
  /** Keeps vectors of one kind and origin apart from others in the database. */
  readonly collection: string
  /** The embedder's model, `provider/model`. Vectors of another one do not count, and the next write drops them. */
  readonly model: string
}

interface Cancellable {
  readonly signal: AbortSignal
}

interface Collection {
  readonly model: string
  readonly dimensions: number
  readonly generation: string
}

/** Creates a store in the table `pipe.vectors`, which compares a query with every vector of its collection. Closing it closes the database. */
export function createVectorStore(parts: VectorStoreParts): VectorStore {
  return new DatabaseVectorStore(parts)
}

/** Vectors of one statement. */
const batchSize = 500

const find = 'select model, dimensions, generation from pipe.vector_collections where name = $1'

const put = `
insert into pipe.vectors as v (collection, id, embedding, metadata)
select $1, id, embedding::vector, metadata::jsonb
from unnest($2::text[], $3::text[], $4::text[]) as new(id, embedding, metadata)
on conflict (collection, id) do update set embedding = excluded.embedding, metadata = excluded.metadata`

/** All vectors have the length 1, so that their negative inner product is the cosine. */
const nearest = `
select id, -(embedding <#> $2::vector) as score, metadata from pipe.vectors
where collection = $1 and metadata @> $3::jsonb
order by embedding <#> $2::vector, id limit $4`

const isOwn =
  'collection = $1 and exists (select from pipe.vector_collections where name = $1 and model = $2)'

class DatabaseVectorStore implements VectorStore {
  readonly #parts: VectorStoreParts

  constructor(parts: VectorStoreParts) {
    this.#parts = parts
  }

  async upsert(
    id: string,
    embedding: Float32Array,
    metadata: VectorMetadata,
    options: Cancellable,
  ): Promise<void> {
    await this.upsertAll([{ id, embedding, metadata }], options)
  }

  async upsertAll(entries: readonly VectorEntry[], options: Cancellable): Promise<void> {
    const units = entries.map(({ embedding }) => unitVector(embedding))
    const [first] = units
    if (first === undefined) return throwIfAborted(options.signal)
    for (const unit of units) requireDimensions(unit, first.length)
    // Of several with one id, the last counts.
    const rows = new Map(
      entries.map(({ id, metadata }, i) => [id, [id, written(units[i] ?? first), JSON.stringify(metadata)]]),
    )
    const { database, schema, collection } = this.#parts
    await schema.ensure(options)
    await database.transaction(async (query) => {
      await this.#open(query, first)
      const all = [...rows.values()]
      for (let start = 0; start < all.length; start += batchSize) {
        const some = all.slice(start, start + batchSize)
        await query(put, [collection, ...[0, 1, 2].map((column) => some.map((row) => row[column]))])
      }
    }, options)
  }

  async search(query: Float32Array, limit: number, options: VectorSearchOptions): Promise<readonly string[]> {
    return (await this.searchScored(query, limit, options)).map(({ id }) => id)
  }

  async searchScored(
    query: Float32Array,
    limit: number,
    { filter = {}, signal }: VectorSearchOptions,
  ): Promise<readonly ScoredVector[]> {
    const unit = unitVector(query)
    const present = await this.#find({ signal })
    if (present === undefined || limit <= 0) return []
    requireDimensions(unit, present.dimensions)
    const { database, collection } = this.#parts
    const values = [collection, written(unit), JSON.stringify(filter), limit]
    return database.read<{ id: string; score: number; metadata: VectorMetadata }>(nearest, values, { signal })
  }

  async remove(ids: readonly string[], options: Cancellable): Promise<void> {
    await this.#delete('id = any($3)', [ids], options)
  }

  async removeWhere(filter: VectorMetadata, options: Cancellable): Promise<void> {
    if (Object.keys(filter).length > 0)
      return this.#delete('metadata @> $3::jsonb', [JSON.stringify(filter)], options)
    const { database, schema, collection } = this.#parts
    await schema.ensure(options)
    await database.write('delete from pipe.vector_collections where name = $1', [collection], options)
  }

  async generation(options: Cancellable): Promise<string> {
    return (await this.#find(options))?.generation ?? ''
  }

  close(): Promise<void> {
    return this.#parts.database.close()
  }

  /** Finds the collection if it holds vectors of this model. */
  async #find(options: Cancellable): Promise<Collection | undefined> {
    const { database, schema, collection, model } = this.#parts
    await schema.ensure(options)
    const [row] = await database.read<Collection>(find, [collection], options)
    return row?.model === model ? row : undefined
  }

  /** Begins the collection unless it has vectors of this model, whose number of dimensions must be the same. */
  async #open(query: Query, vector: Float32Array): Promise<void> {
    const { collection, model, newId } = this.#parts
    await query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`pipe vectors ${collection}`])
    const [row] = await query<Collection>(find, [collection])
    if (row?.model === model) return requireDimensions(vector, row.dimensions)
    await query('delete from pipe.vector_collections where name = $1', [collection])
    await query(
      'insert into pipe.vector_collections (name, model, dimensions, generation) values ($1, $2, $3, $4)',
      [collection, model, vector.length, newId.message()],
    )
  }

  async #delete(condition: string, values: readonly unknown[], options: Cancellable): Promise<void> {
    const { database, schema, collection, model } = this.#parts
    await schema.ensure(options)
    await database.write(
      `delete from pipe.vectors where ${isOwn} and ${condition}`,
      [collection, model, ...values],
      options,
    )
  }
}

/** Spells a vector as the extension reads it. */
function written(vector: Float32Array): string {
  if (vector.length > 16_000)
    throw new PipeError('invalid', `a vector has ${vector.length} dimensions; the database takes 16,000`)
  return `[${vector.join(',')}]`
}
