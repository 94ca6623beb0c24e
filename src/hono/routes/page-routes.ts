import * as z from 'zod'
import { Refusal } from '../refusal.ts'
import { defineRoute, nothing, type Route } from '../route.ts'

/** The built files of the page by name, `index.html` among them. */
export type PageFiles = ReadonlyMap<string, Uint8Array<ArrayBuffer>>

/** Forbids all that the page does not need: other servers, inline scripts and styles, frames, forms, and HTML made from text. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
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
  png: 'image/png',
  webmanifest: 'application/manifest+json',
}

const start = 'index.html'

/** The page for a browser. Its files hold no secret, so they need no token. */
export function pageRoutes(files: PageFiles): readonly Route[] {
  const shared = { method: 'get', isOpen: true, isFile: true, query: nothing, body: nothing } as const
  const document = { 200: { description: 'The page.', mediaType: 'text/html', schema: z.string() } }
  const whole = startOf(files)
  const below = whole && atDepthOne(whole)
  return [
    defineRoute({
      ...shared,
      path: '/',
      operation: 'page',
      summary: 'The page for a browser',
      answers: document,
      handle: async () => answer(whole, 'html', 'no-store'),
    }),
    ...(['session', 'task'] as const).map((kind) =>
      defineRoute({
        ...shared,
        path: `/${kind}s/{id}`,
        operation: `${kind}Page`,
        answers: document,
        summary: `The page, which shows the ${kind}`,
        handle: async () => answer(below, 'html', 'no-store'),
      }),
    ),
    defineRoute({
      ...shared,
      path: '/page/{file}',
      operation: 'pageFile',
      summary: 'A script, stylesheet or icon of the page, or its manifest',
      answers: { 200: { description: 'The file. Its name changes with its content.' } },
      handle: async ({ params: { file = '' } }) => {
        // The start has no hash in its name, so it must not be kept.
        const bytes = file === start ? undefined : files.get(file)
        return answer(bytes, file.slice(file.lastIndexOf('.') + 1), 'public, max-age=31536000, immutable')
      },
    }),
  ]
}

function startOf(files: PageFiles): string | undefined {
  const bytes = files.get(start)
  return bytes && new TextDecoder().decode(bytes)
}

/** The start for a path in a folder. Its addresses are relative, because a proxy may serve it below a path of its own. */
function atDepthOne(html: string): string {
  return html.replaceAll('="page/', '="../page/')
}

function answer(
  content: string | Uint8Array<ArrayBuffer> | undefined,
  ending: string,
  cacheControl: string,
): Response {
  const type = types[ending]
  if (content === undefined || type === undefined)
    throw new Refusal({ status: 404, code: 'NOT_FOUND', message: 'the page has no such file' })
  return new Response(content, {
    headers: {
      'content-type': type,
      'cache-control': cacheControl,
      'content-security-policy': policy,
    },
  })
}
