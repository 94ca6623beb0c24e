import { isPipeError, throwIfAborted } from '../../error.ts'
import { isJsonObject, type JsonValue } from '../../json-value.ts'
import type { ArtifactStore } from '../../machine/artifact.ts'
import { isWithin } from '../../machine/path.ts'
import type { ToolContext, ToolResult, ToolRun } from '../../tool.ts'
import type { Workspace } from '../workspace.ts'

/**
 * The effect of a call on a file as a unified diff, or the result of one that does not fit what the model has read: runs the call without
 * writing. Any other failure says what the user may not have allowed the model to know.
 */
export async function previewChange(
  call: { readonly name: string; readonly arguments: JsonValue },
  workspace: Workspace,
  context: ToolContext,
): Promise<string | ToolResult | undefined> {
  try {
    const { result } = await runWithoutWriting(call, workspace, context)
    return result && (isForModel(result, workspace) ? result : diffOf(result))
  } catch (error) {
    throwIfAborted(context.signal)
    if (isPipeError(error)) return undefined
    throw error
  }
}

/** Describes the outcome of a call that ran without writing. */
interface DryRun {
  /** Absent: there is no such tool. */
  readonly result?: ToolResult
  /** The content of the file that it read last, and the content that it would have written last. */
  readonly read?: Uint8Array | undefined
  readonly written?: Uint8Array | undefined
}

/** Runs a call without writing. Throws as the call does. */
export async function runWithoutWriting(
  call: { readonly name: string; readonly arguments: JsonValue },
  workspace: Workspace,
  context: ToolContext,
): Promise<DryRun> {
  const { findRunner } = await import('../runners.ts')
  const seen: { read?: Uint8Array; written?: Uint8Array } = {}
  const dry = {
    ...workspace,
    artifacts: readOnly(workspace.artifacts, seen),
    ledger: workspace.ledger.copy(),
    // No program runs before the change is judged.
    format: undefined,
  }
  const run = findRunner(call.name)?.execute(call.arguments, dry, context)
  return run === undefined ? {} : { result: await resultOf(run), ...seen }
}

function readOnly(
  artifacts: ArtifactStore,
  seen: { read?: Uint8Array; written?: Uint8Array },
): ArtifactStore {
  return {
    readFile: async (path, options) => {
      seen.read = await artifacts.readFile(path, options)
      return seen.read
    },
    readFileRange: (path, range, options) => artifacts.readFileRange(path, range, options),
    realPath: (path, options) => artifacts.realPath(path, options),
    getRevision: (path, options) => artifacts.getRevision(path, options),
    listDir: (path, options) => artifacts.listDir(path, options),
    writeFile: async (_, bytes) => {
      seen.written = bytes
      return undefined
    },
    move: async () => undefined,
  }
}

async function resultOf(run: ToolRun): Promise<ToolResult> {
  let step = await run.next()
  while (step.done !== true) step = await run.next()
  return step.value
}

/** Whether a result does not fit what the model has read. That a file is there is told of those alone that it may read without a question. */
function isForModel({ isError, details }: ToolResult, { cwd, mayRead }: Workspace): boolean {
  if (!isError || !isJsonObject(details)) return false
  const { mismatch, unseen } = details
  return (
    mismatch === true || (typeof unseen === 'string' && isWithin(unseen, cwd) && mayRead?.(unseen) !== false)
  )
}

/** Returns none for a name with a line break, which could pass for lines of the diff. */
function diffOf({ details }: ToolResult): string | undefined {
  if (!isJsonObject(details)) return undefined
  const { path, diff } = details
  return typeof diff === 'string' && typeof path === 'string' && !/[\r\n]/.test(path) ? diff : undefined
}
