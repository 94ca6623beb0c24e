/** A view of the page, as its address names it. */
export type PageRoute =
  | { readonly type: 'list' }
  | { readonly type: 'new' }
  | { readonly type: 'session'; readonly id: string }
  | { readonly type: 'task'; readonly id: string }

/** Reads the part of an address behind `#`. Anything unknown is the list. */
export function readRoute(hash: string): PageRoute {
  const [, kind, id] = /^#\/(new|session|task)(?:\/([\w.-]+))?$/.exec(hash) ?? []
  if (kind === 'new') return { type: 'new' }
  if ((kind === 'session' || kind === 'task') && id !== undefined) return { type: kind, id }
  return { type: 'list' }
}

/**
 * Reads the path at which the page was opened: its home, which ends with `/` and may have the prefix of a proxy, and what `/sessions/ID` or
 * `/tasks/ID` below it shows.
 */
export function readPath(path: string): { readonly home: string; readonly route: PageRoute } {
  const [, home = path.replace(/[^/]*$/, ''), kind, id] =
    /^(.*\/)(session|task)s\/([\w.-]+)$/.exec(path) ?? []
  const isOne = (kind === 'session' || kind === 'task') && id !== undefined
  return { home, route: isOne ? { type: kind, id } : { type: 'list' } }
}

export function addressOf(route: PageRoute): string {
  if (route.type === 'list') return '#/'
  return route.type === 'new' ? '#/new' : `#/${route.type}/${route.id}`
}
