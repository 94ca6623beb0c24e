import type { ServerAccess } from '../../machine/model-server.ts'
import type { HttpRequest } from '../../machine/transport.ts'
import { keyHeaders } from './key-header.ts'
import { sentJson } from './sent-json.ts'

/** Builds a POST request with a JSON body, the server's key and its headers. */
export function postJson(
  access: ServerAccess,
  url: string,
  body: object,
  { accept = 'text/event-stream', keyHeader }: { readonly accept?: string; readonly keyHeader?: string } = {},
): HttpRequest {
  return {
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/json',
      accept,
      ...keyHeaders(access, keyHeader),
      ...access.headers,
    },
    body: sentJson(body),
  }
}
