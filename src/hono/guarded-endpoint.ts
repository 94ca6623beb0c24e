import type { Clock } from '../clock.ts'
import { type HttpServerOptions, type Listening, listenWith, type RunningServer } from './server.ts'
import { guardedApp } from './server-app.ts'

/** One path that answers requests by itself, whatever their method. */
export interface Endpoint {
  readonly path: string
  readonly token: string
  readonly clock: Clock
  /** The request's signal fires when its client goes away. */
  answer(request: Request): Promise<Response>
  /** Ends what answers. Called when the server begins to end. */
  close(): Promise<void>
}

/** Serves one path, behind all that keeps strangers out of a server: names, origins, rates and the token. Throws as `startServer` does. */
export function startEndpoint(
  { path, token, clock, answer, close }: Endpoint,
  listening: Listening,
  options: HttpServerOptions,
): Promise<RunningServer> {
  return listenWith(
    (guards, ending) => {
      const app = guardedApp({ token, clock, ending }, guards)
      app.all(path, ({ req }) => answer(req.raw))
      return { app, close }
    },
    listening,
    { ...options, clock },
  )
}
