import { spawn } from 'node:child_process'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'

/** Serves the repositories below a folder over http with git's own program, as hosts do. Closed after the test. */
export async function serveRepositories(folder: string): Promise<string> {
  const server = createServer((request, response) => answer(folder, request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

function answer(folder: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? '/', 'http://x')
  const backend = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'safe.directory',
      GIT_CONFIG_VALUE_0: '*',
      PATH_INFO: decodeURIComponent(pathname),
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  request.pipe(backend.stdin)
  const heard: Uint8Array[] = []
  backend.stdout.on('data', (chunk: Uint8Array) => heard.push(chunk))
  backend.on('close', () => {
    const said = Buffer.concat(heard)
    const end = said.indexOf('\r\n\r\n')
    const fields = said.subarray(0, end).toString().split('\r\n')
    for (const field of fields) {
      const [, name = '', value = ''] = /^([^:]+): (.*)$/.exec(field) ?? []
      if (name === 'Status') response.statusCode = Number(value.slice(0, 3))
      else if (name !== '') response.setHeader(name, value)
    }
    response.end(said.subarray(end + 4))
  })
}
