import { isPipeError, throwIfAborted } from '../../error.ts'
import { isJsonObject, type JsonValue } from '../../json-value.ts'
import type { ArtifactStore } from '../../machine/artifact.ts'
import type { ToolContext, ToolResult, ToolRun } from '../../tool.ts'
import type { Workspace } from '../workspace.ts'

/** The effect of a call on a file as a unified diff: runs the call without writing. */
export async function previewChange(
  call: { readonly name: string; readonly arguments: JsonValue },
  workspace: Workspace,
  context: ToolContext,
): Promise<string | undefined> {
  const { findRunner } = await import('../runners.ts')
  const dry = { ...workspace, artifacts: readOnly(workspace.artifacts), ledger: workspace.ledger.copy() }
  try {
    const run = findRunner(call.name)?.execute(call.arguments, dry, context)
    return run === undefined ? undefined : diffOf(await resultOf(run))
  } catch (error) {
    throwIfAborted(context.signal)
    if (isPipeError(error)) return undefined
    throw error
  }
}

function readOnly(artifacts: ArtifactStore): ArtifactStore {
  return {
    readFile: (path, options) => artifacts.readFile(path, options),
    readFileRange: (path, range, options) => artifacts.readFileRange(path, range, options),
    realPath: (path, options) => artifacts.realPath(path, options),
    getRevision: (path, options) => artifacts.getRevision(path, options),
    listDir: (path, options) => artifacts.listDir(path, options),
    writeFile: async () => undefined,
    move: async () => undefined,
  }
}

async function resultOf(run: ToolRun): Promise<ToolResult> {
  let step = await run.next()
  while (step.done !== true) step = await run.next()
  return step.value
}

/** Returns none for a name with a line break, which could pass for lines of the diff. */
function diffOf({ details }: ToolResult): string | undefined {
  if (!isJsonObject(details)) return undefined
  const { path, diff } = details
  return typeof diff === 'string' && typeof path === 'string' && !/[\r\n]/.test(path) ? diff : undefined
}
