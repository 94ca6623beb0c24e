import { createServer, type RequestListener } from 'node:http'
import { onTestFinished } from 'vitest'

export interface WebServer {
  /** `http://127.0.0.1:<port>` */
  readonly url: string
  readonly port: number
  /** Accepted so far. */
  readonly connections: number
}

/** A web server on this machine, gone after the test. */
export async function serve(handler: RequestListener): Promise<WebServer> {
  let connections = 0
  const server = createServer(handler)
  server.on('connection', () => connections++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  const { port } = address
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    get connections() {
      return connections
    },
  }
}
