import { isAbsolute, relative, resolve, sep } from 'node:path'
import type { WorkspaceFiles } from '../../frontend/conversation-view.ts'

/** Lists the files of a folder, as `walk` does. Loads nothing before the first list. */
export function workspaceFiles(folder: string): WorkspaceFiles {
  const top = resolve(folder)
  const start = top.endsWith(sep) ? top.length : top.length + 1
  const nameOf = (path: string) => {
    const name = relative(folder, resolve(folder, path))
    return name === '' || name.startsWith('..') || isAbsolute(name) ? undefined : withSlashes(name)
  }
  return {
    list: async function* (signal) {
      const { walk } = await import('./walk.ts')
      // Cheaper than `relative`, and there may be many.
      for await (const path of walk(top, { signal })) yield withSlashes(path.slice(start))
    },
    newest: async (paths, signal) => {
      const { newestFirst } = await import('./newest.ts')
      const found = await newestFirst(
        paths.map((path) => resolve(folder, path)),
        signal,
      )
      return found.map((path) => withSlashes(relative(folder, path)))
    },
    nameOf,
  }
}

function withSlashes(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/')
}
