import type { Routing } from '../engine.ts'
import type { Settings } from './schema.ts'

/** Ways to choose between capable models. */
export const preferences: readonly Routing['prefer'][] = ['order', 'cost', 'latency']

/** Returns the model of a route as `provider/model[:level]`; `undefined` if the route is not set. */
export function readRoute(name: string, { routes = {} }: Settings): string | undefined {
  return Object.hasOwn(routes, name) ? routes[name] : undefined
}
