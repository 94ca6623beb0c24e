import { basename, dirname, join } from 'node:path'
import { isPipeError } from '../../error.ts'
import { isWithin } from '../../machine/path.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { errorResult, textResult } from '../../tool.ts'
import { type LocatedFile, locate } from '../file/located-file.ts'
import { fileDetails } from '../file/seen-files.ts'
import { defineRunner } from '../runner.ts'
import { displayPath, quotedName, type Workspace } from '../workspace.ts'

export const rename = defineRunner({
  name: 'rename',
  schema: (schemas) => schemas.rename(),
  async run(args, workspace, context) {
    const from = await locate(workspace, args.from, context, 0)
    const to = await locate(workspace, args.to, context, 1)
    const why =
      (await objection(from, to, workspace, context.signal)) ??
      (await move(from, to, workspace, context.signal))
    if (why !== undefined) return errorResult(`${quotedName(from.shown)} was not renamed: ${why}`)
    const revision = workspace.ledger.moved(from, to)
    const details = { ...fileDetails(workspace, to), from: from.shown, ...omitUndefined({ after: revision }) }
    return textResult(`renamed ${quotedName(from.shown)} to ${quotedName(to.shown)}`, details)
  },
})

/** Why a file or folder may not be moved to this path. */
async function objection(
  from: LocatedFile,
  to: LocatedFile,
  workspace: Workspace,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (isWithin(workspace.cwd, from.real)) return 'it is or holds the working folder'
  if (from.path !== to.path && isWithin(to.path, from.path)) return 'a folder does not go into itself'
  for (const file of [from, to]) {
    const folder = await workspace.artifacts.realPath(dirname(file.path), { signal })
    if (join(folder, basename(file.path)) !== file.real)
      return `${quotedName(file.shown)} is a link to ${quotedName(displayPath(workspace, file.real))}: name that, or move the link through bash (mv)`
  }
  return undefined
}

/** Moves it. Returns the reason for the model if that cannot be. */
async function move(
  from: LocatedFile,
  to: LocatedFile,
  { artifacts }: Workspace,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    await artifacts.move(from.real, to.real, { signal })
    return undefined
  } catch (error) {
    if (!isPipeError(error)) throw error
    switch (error.details['reason']) {
      case 'exists':
        return `${quotedName(to.shown)} already exists; nothing is overwritten`
      case 'EXDEV':
        return 'the new path is on another disk; move it through bash (mv)'
      default:
        throw error
    }
  }
}
