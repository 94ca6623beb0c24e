import * as z from 'zod'
import { Refusal } from './refusal.ts'
import { defineRoute, nothing, type Route } from './route.ts'

/** The built files of the page by name, `index.html` among them. */
export type PageFiles = ReadonlyMap<string, Uint8Array<ArrayBuffer>>

/** Forbids all that the page does not need: other servers, inline scripts and styles, frames, forms, and HTML made from text. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
}

const start = 'index.html'

/** The page for a browser. Its files hold no secret, so they need no token. */
export function pageRoutes(files: PageFiles): readonly Route[] {
  const shared = { method: 'get', isOpen: true, query: nothing, body: nothing } as const
  return [
    defineRoute({
      ...shared,
      path: '/',
      operation: 'page',
      summary: 'The page for a browser',
      answers: { 200: { description: 'The page.', mediaType: 'text/html', schema: z.string() } },
      handle: async () => answer(files, start, 'no-store'),
    }),
    defineRoute({
      ...shared,
      path: '/page/{file}',
      operation: 'pageFile',
      summary: 'A script or stylesheet of the page',
      answers: { 200: { description: 'The file. Its name changes with its content.' } },
      handle: async ({ params: { file = '' } }) =>
        // The start has no hash in its name, so it must not be kept.
        answer(files, file === start ? '' : file, 'public, max-age=31536000, immutable'),
    }),
  ]
}

function answer(files: PageFiles, name: string, cacheControl: string): Response {
  const bytes = files.get(name)
  const type = types[name.slice(name.lastIndexOf('.') + 1)]
  if (bytes === undefined || type === undefined)
    throw new Refusal({ status: 404, code: 'NOT_FOUND', message: 'the page has no such file' })
  return new Response(bytes, {
    headers: {
      'content-type': type,
      'cache-control': cacheControl,
      'content-security-policy': policy,
    },
  })
}
