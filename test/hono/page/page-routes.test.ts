import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { refusalOf } from '../../../src/hono/refusal.ts'
import { pageRoutes } from '../../../src/hono/routes/page-routes.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

/** Asks for a path of a small page. Returns its status, the headers that matter, and the text of a success. */
async function get(path: string) {
  const app = new Hono()
  app.onError((error) => new Response(null, { status: refusalOf(error).status }))
  const files = new Map([
    ['index.html', bytes('<!doctype html><script src="page/page-ABC.js">')],
    ['page-ABC.js', bytes('start()')],
    ['page-DEF.css', bytes('p {}')],
    ['icon-GHI.png', bytes('png')],
    ['app-JKL.webmanifest', bytes('{}')],
    ['notes.txt', bytes('secret')],
  ])
  for (const route of pageRoutes(files)) app.get(route.path.replace(/\{(\w+)\}/, ':$1'), route.answer)
  const response = await app.request(path)
  const header = (name: string) => response.headers.get(name)
  return {
    status: response.status,
    type: header('content-type'),
    cache: header('cache-control'),
    policy: header('content-security-policy'),
    text: await response.text(),
  }
}

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

describe('the routes of the page', () => {
  it('serve the start anew each time', async () => {
    expect(await get('/')).toEqual({
      status: 200,
      type: 'text/html; charset=utf-8',
      cache: 'no-store',
      policy,
      text: '<!doctype html><script src="page/page-ABC.js">',
    })
  })

  it.each(['/sessions/0190ab', '/tasks/task_1'])(
    'serve the start at %s, with addresses from there',
    async (path) => {
      const { status, text } = await get(path)
      expect([status, text]).toEqual([200, '<!doctype html><script src="../page/page-ABC.js">'])
    },
  )

  it.each([
    ['page-ABC.js', 'text/javascript; charset=utf-8', 'start()'],
    ['page-DEF.css', 'text/css; charset=utf-8', 'p {}'],
    ['icon-GHI.png', 'image/png', 'png'],
    ['app-JKL.webmanifest', 'application/manifest+json', '{}'],
  ])('serve %s for good', async (name, type, text) => {
    const cache = 'public, max-age=31536000, immutable'
    expect(await get(`/page/${name}`)).toEqual({ status: 200, type, cache, policy, text })
  })

  it.each(['index.html', 'page-OLD.js', 'notes.txt', '..%2Fsecret.js', 'constructor', '__proto__'])(
    'know no %s',
    async (name) => {
      expect((await get(`/page/${name}`)).status).toBe(404)
    },
  )
})
