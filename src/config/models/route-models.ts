import type { Routing } from '../../engine.ts'
import type { Settings } from '../settings-schema.ts'

/** Ways to choose between capable models. */
export const preferences: readonly Routing['prefer'][] = ['order', 'cost', 'latency']

/** Names that stand for a purpose alone, never for a part of a model's id. */
export const purposes: readonly string[] = ['writer', 'reasoning', 'strong']

/** Returns the models of a route as `provider/model[:level]`, the preferred one first. Empty if the route is not set. */
export function readModelRoute(name: string, { routes = {} }: Settings): readonly string[] {
  return Object.hasOwn(routes, name) ? modelsOf(routes[name]) : []
}

/** Returns the models of a route's setting: one, or a list of them. */
export function modelsOf(route: string | readonly string[] = []): readonly string[] {
  return typeof route === 'string' ? [route] : route
}
