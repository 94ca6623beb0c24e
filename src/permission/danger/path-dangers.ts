import type { JudgeContext } from '../judge-context.ts'
import { holdsKeys, reasonToAsk, reasonToAskAlways } from '../paths/protected.ts'
import { shownPath } from '../paths/shown-path.ts'

/** Folders for files that nobody keeps, and devices that keep nothing. */
const passing = /^\/(tmp|var\/tmp|private\/tmp|dev)\//

/** The danger of writing to a path. Absolute. */
export async function writeDanger(
  path: string,
  { paths, home }: Pick<JudgeContext, 'paths' | 'home'>,
): Promise<string | undefined> {
  const both = await paths.both(path)
  const shown = shownPath(path, { cwd: paths.cwd, home })
  if (reasonToAskAlways(both, paths.own()) !== undefined) return `changes your memories: ${shown}`
  const reason = reasonToAsk('edit', both, paths.own())
  if (reason !== undefined)
    return `changes ${reason.startsWith('belongs') ? "pipe's own files" : 'a protected file'}: ${shown}`
  if (passing.test(path) || (await paths.isInside(both))) return undefined
  const [, real] = both
  const away = shownPath(real, { cwd: paths.cwd, home })
  return `writes outside the folder: ${(await paths.isInside([path])) ? `${shown} is ${away}` : shown}`
}

/** Folders of a home that hold logins. */
const logins = /\/\.(ssh|gnupg|aws|kube|netrc|docker|config\/gcloud)(\/|$)/

/** The danger of reading a path. Absolute. */
export function readDanger(
  path: string,
  { paths, home }: Pick<JudgeContext, 'paths' | 'home'>,
): string | undefined {
  const isSecret = logins.test(path) || holdsKeys(path, paths.own())
  return isSecret ? `reads secrets: ${shownPath(path, { cwd: paths.cwd, home })}` : undefined
}
