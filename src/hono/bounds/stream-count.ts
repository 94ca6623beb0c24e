import type { MiddlewareHandler } from 'hono'
import { Refusal } from '../refusal.ts'
import type { ServerEnv } from '../route.ts'

/** Bounds the event streams of a server. Throws `Refusal` with 429 for one too many, before its request does anything. */
export function countStreams(most: number): MiddlewareHandler<ServerEnv> {
  let open = 0
  return async (context, next) => {
    if (open >= most)
      throw new Refusal({
        status: 429,
        code: 'RATE_LIMITED',
        message: `there are already ${most} event streams`,
        headers: { 'retry-after': '10' },
      })
    open++
    const { outgoing } = context.env
    const free = () => void open--
    if (outgoing === undefined) free()
    else outgoing.once('close', free)
    await next()
  }
}
