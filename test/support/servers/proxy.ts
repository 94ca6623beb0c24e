import { createServer as createHttpServer, request, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Certificate } from './certificate.ts'
import { listen } from './listen.ts'

export interface ProxyOptions {
  /** Local ports by `host:port`. Other hosts get 502. */
  readonly hosts: Readonly<Record<string, number>>
  /** Required `user:password`. Default: none. */
  readonly credentials?: string
  /** Makes it speak TLS. */
  readonly certificate?: Certificate
  /** Answer to CONNECT instead of a tunnel; `silent` is no answer. */
  readonly answer?: string
}

export interface TestProxy {
  /** `http://127.0.0.1:<port>`, or https. */
  readonly url: string
  readonly port: number
  /** The requests so far, `CONNECT host:port` or `GET http://host/path`. */
  readonly seen: string[]
  /** Connections that are open now. */
  readonly open: Set<Socket>
}

/** Starts a real proxy on this machine for CONNECT and absolute URLs, closed after the test. */
export async function startProxy(options: ProxyOptions): Promise<TestProxy> {
  const { certificate } = options
  const server = certificate === undefined ? createHttpServer() : createHttpsServer(certificate)
  const seen: string[] = []
  const open = new Set<Socket>()
  server.on(certificate === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket)).on('error', () => undefined)
  })
  serveTunnels(server, options, seen)
  serveAddresses(server, options, seen)
  const port = await listen(server)
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  return { url: `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${port}`, port, seen, open }
}

function isWelcome({ credentials }: ProxyOptions, header: string | undefined): boolean {
  return credentials === undefined || header === `Basic ${Buffer.from(credentials).toString('base64')}`
}

function serveTunnels(server: Server, options: ProxyOptions, seen: string[]): void {
  server.on('connect', (incoming, socket, head) => {
    const name = incoming.url ?? ''
    seen.push(`CONNECT ${name}`)
    const port = options.hosts[name]
    if (options.answer === 'silent') {
      socket.on('end', () => socket.end()).resume()
      return
    }
    if (options.answer !== undefined) socket.end(options.answer)
    else if (!isWelcome(options, incoming.headers['proxy-authorization']))
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\n')
    else if (port === undefined) socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
    else {
      const far = connect(port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
        far.write(head)
        far.pipe(socket).pipe(far)
      })
      far.on('error', () => socket.destroy())
      socket.on('error', () => far.destroy()).on('close', () => far.destroy())
      far.on('close', () => socket.destroy())
    }
  })
}

function serveAddresses(server: Server, options: ProxyOptions, seen: string[]): void {
  server.on('request', (incoming, response) => {
    seen.push(`${incoming.method} ${incoming.url}`)
    const target = URL.canParse(incoming.url ?? '') ? new URL(incoming.url ?? '') : undefined
    const port = options.hosts[`${target?.hostname}:${target?.port || '80'}`]
    if (!isWelcome(options, incoming.headers['proxy-authorization'])) response.writeHead(407).end()
    else if (target === undefined || port === undefined) response.writeHead(502).end()
    else {
      const { 'proxy-authorization': _, ...headers } = incoming.headers
      const path = target.pathname + target.search
      const onward = request({ port, path, method: incoming.method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(response)
      })
      onward.on('error', () => response.destroy())
      response.on('close', () => onward.destroy())
      incoming.pipe(onward)
    }
  })
}
