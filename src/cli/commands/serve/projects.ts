import { basename } from 'node:path'
import type { ServedProject } from '../../../hono/backend.ts'
import { realFolder } from '../../host.ts'

/** Names the folders of a server, each once: by the folder's own name, with a number where two have the same. Throws `usage`. */
export function nameProjects(folders: readonly string[]): readonly ServedProject[] {
  const taken = new Set<string>()
  const paths = new Set(folders.map((folder) => realFolder(folder, folder)))
  return [...paths].map((cwd) => {
    const own = basename(cwd) || 'root'
    let name = own
    for (let n = 2; taken.has(name); n++) name = `${own}-${n}`
    taken.add(name)
    return { name, cwd }
  })
}
