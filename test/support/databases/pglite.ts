import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import { afterAll, beforeAll } from 'vitest'

/** A PostgreSQL server with pgvector in this process, which drivers reach over TCP. */
export interface VectorServer {
  /** Known once the tests run. */
  readonly url: string
  /** Runs statements beside the connections. */
  exec(text: string): Promise<void>
}

/** Starts the server for the tests of a file, and ends it after them. All connections share one session of the database. */
export function startVectorServer(): VectorServer {
  let database: PGlite | undefined
  let server: PGLiteSocketServer | undefined
  beforeAll(async () => {
    database = await PGlite.create({ extensions: { vector } })
    server = new PGLiteSocketServer({ db: database, host: '127.0.0.1', port: 0, maxConnections: 20 })
    await server.start()
  }, 60_000)
  afterAll(async () => {
    await server?.stop()
    await database?.close()
  })
  return {
    get url() {
      return `postgres://postgres@${server?.getServerConn()}/postgres?sslmode=disable`
    },
    exec: async (text) => void (await database?.exec(text)),
  }
}
