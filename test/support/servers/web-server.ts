import { createServer, type RequestListener } from 'node:http'
import { onTestFinished } from 'vitest'
import { listen } from './listen.ts'

export interface WebServer {
  /** `http://127.0.0.1:<port>` */
  readonly url: string
  readonly port: number
  /** Connections accepted so far. */
  readonly connections: number
}

/** Starts a web server on this machine, closed after the test. */
export async function serve(handler: RequestListener): Promise<WebServer> {
  let connections = 0
  const server = createServer(handler)
  server.on('connection', () => connections++)
  const port = await listen(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    get connections() {
      return connections
    },
  }
}
