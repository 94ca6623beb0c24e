import { rowPath, type Workspace } from '../workspace.ts'

/** Links that are named. */
const mostNamed = 5

/** Says which links a search passed by; nothing if there are none that the model may know of. */
export function linksNote(workspace: Workspace, links: readonly string[]): readonly string[] {
  const known = links.filter((path) => workspace.mayRead?.(path) !== false)
  if (known.length === 0) return []
  const left = known.length - mostNamed
  const names = known.slice(0, mostNamed).map((path) => rowPath(workspace, path))
  const all = [...names, ...(left > 0 ? [`${left} more`] : [])].join(', ')
  return [`not searched, because links are not followed: ${all}; give the path of one to search it`]
}
