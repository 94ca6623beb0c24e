import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAdaptorServer } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { onTestFinished } from 'vitest'
import { formatEvent } from '../../../src/hono/event-stream.ts'
import { pageRoutes } from '../../../src/hono/routes/page-routes.ts'
import type { JsonObject } from '../../../src/json-value.ts'
import { root } from '../../support/programs/world.ts'

/** An API whose answers a test writes, behind the real page. */
export interface ScriptedServer {
  readonly url: string
  /** The requests of the page, in order: `POST /v1/sessions {"text":…}`. */
  readonly requests: readonly string[]
  /** Sends a line to everybody who watches this path, and to everybody later. */
  tell(path: string, line: JsonObject): void
  /** Refuses the next request for this path. */
  refuse(path: string, status: number, message: string): void
}

export interface Script {
  readonly projects?: readonly JsonObject[]
  readonly sessions: readonly JsonObject[]
  readonly tasks?: readonly JsonObject[]
  /** Other answers by path. A string is sent as text. */
  readonly answers?: Readonly<Record<string, JsonObject | string>>
}

/** The files of the built page. */
export function builtPage() {
  const folder = join(root, 'dist/page')
  return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))] as const))
}

/** Serves the built page and these answers on a free port until the test is over. */
export async function startScripted(script: Script): Promise<ScriptedServer> {
  const requests: string[] = []
  const told = new Map<string, string[]>()
  const watchers = new Map<string, Set<ReadableStreamDefaultController<Uint8Array>>>()
  const refusals = new Map<string, { readonly status: number; readonly message: string }>()
  const encoder = new TextEncoder()

  const events = ({ req }: Context): Response => {
    const after = Number(req.header('last-event-id') ?? 0)
    const own = watchers.get(req.path) ?? new Set()
    watchers.set(req.path, own)
    let mine: ReadableStreamDefaultController<Uint8Array> | undefined
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        mine = controller
        own.add(controller)
        controller.enqueue(encoder.encode(': hello\n\n'))
        for (const event of told.get(req.path)?.slice(after) ?? []) controller.enqueue(encoder.encode(event))
      },
      cancel() {
        if (mine !== undefined) own.delete(mine)
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }

  const app = new Hono()
  for (const { path, answer } of pageRoutes(builtPage())) app.get(path.replace(/\{(\w+)\}/g, ':$1'), answer)
  app.use('/v1/*', async ({ req }, next) => {
    const body = req.method === 'POST' ? ` ${await req.text()}` : ''
    requests.push(`${req.method} ${req.path}${body}`)
    const refusal = refusals.get(req.path)
    if (refusal === undefined) return next()
    refusals.delete(req.path)
    return Response.json({ code: 'REFUSED', message: refusal.message }, { status: refusal.status })
  })
  app.get('/v1/events', events)
  app.get('/v1/sessions/:id/events', events)
  app.get('/v1/projects', ({ json }) => json({ projects: script.projects ?? [{ name: 'app', cwd: '/app' }] }))
  app.get('/v1/sessions', ({ json }) => json({ sessions: script.sessions }))
  app.get('/v1/tasks', ({ json }) => json({ tasks: script.tasks ?? [] }))
  app.get('/v1/sessions/:id/elves', ({ json }) => json({ elves: [] }))
  app.all('/v1/*', ({ req, json, text }) => {
    const answer = script.answers?.[req.path] ?? {}
    return typeof answer === 'string' ? text(answer) : json(answer)
  })

  const server = createAdaptorServer({ fetch: app.fetch })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    if ('closeAllConnections' in server) server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    tell: (path, line) => {
      const known = told.get(path) ?? []
      const event = formatEvent({ id: String(known.length + 1), data: JSON.stringify(line) })
      told.set(path, [...known, event])
      for (const controller of watchers.get(path) ?? []) controller.enqueue(encoder.encode(event))
    },
    refuse: (path, status, message) => refusals.set(path, { status, message }),
  }
}
