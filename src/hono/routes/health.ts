import * as z from 'zod'
import { isPipeError } from '../../error.ts'
import type { AppParts } from '../app-parts.ts'
import { serverLimits } from '../bounds/server-limits.ts'
import { defineRoute, nothing, type Route } from '../route.ts'

const healthSchema = z.object({
  status: z.enum(['healthy', 'ready', 'alive', 'unhealthy']),
  timestamp: z.iso.datetime(),
})

type Health = z.infer<typeof healthSchema>['status']

/** Whether the server lives, and whether it could run a turn. They say nothing else, so they need no token. */
export function healthRoutes(parts: Pick<AppParts, 'backend' | 'clock' | 'ending'>): readonly Route[] {
  const { clock } = parts
  const answer = (status: Health) =>
    Response.json(
      { status, timestamp: new Date(clock.now()).toISOString() },
      { status: status === 'unhealthy' ? 503 : 200 },
    )
  const isReady = readiness(parts)
  const whenReady = async (status: Health) => answer((await isReady()) ? status : 'unhealthy')
  const route = (path: string, operation: string, summary: string, check: () => Promise<Response>) =>
    defineRoute({
      ...({ method: 'get', path, operation, summary, isOpen: true, query: nothing, body: nothing } as const),
      answers: {
        200: { description: 'It is.', schema: healthSchema },
        503: { description: 'It is not.', schema: healthSchema },
      },
      handle: check,
    })
  return [
    route('/health', 'health', 'Whether the server can do its work', () => whenReady('healthy')),
    route('/health/ready', 'ready', 'Whether a turn could run now', () => whenReady('ready')),
    route('/health/live', 'live', 'Whether the process answers', async () => answer('alive')),
  ]
}

/** Makes a check whose finding is good for a while, however many ask. A server that ends takes no more turns. */
function readiness({
  backend,
  clock,
  ending,
}: Pick<AppParts, 'backend' | 'clock' | 'ending'>): () => Promise<boolean> {
  let last: { readonly at: number; readonly finding: Promise<boolean> } | undefined
  return async () => {
    if (ending.aborted) return false
    const now = clock.monotonic()
    if (last === undefined || now - last.at >= serverLimits.ready)
      last = { at: now, finding: isMet(backend.requireReady({ signal: ending })) }
    return last.finding
  }
}

async function isMet(requirement: Promise<void>): Promise<boolean> {
  try {
    await requirement
    return true
  } catch (error) {
    if (!isPipeError(error)) throw error
    return false
  }
}
