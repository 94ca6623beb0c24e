import type { Routing } from '../engine.ts'
import type { Settings } from './schema.ts'

/** Which of several able models is taken. */
export const preferences: readonly Routing['prefer'][] = ['order', 'cost', 'latency']

/** The model that a route's name stands for, `provider/model[:level]`; `undefined` where no such route is set. */
export function readRoute(name: string, { routes = {} }: Settings): string | undefined {
  return Object.hasOwn(routes, name) ? routes[name] : undefined
}
