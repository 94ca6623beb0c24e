import { isPipeError } from '../error.ts'
import { errorResult, type ToolResult, textResult } from '../tool.ts'
import { changeDetails } from './change-details.ts'
import { readForChange } from './current-file.ts'
import { defineTool } from './definition.ts'
import { revisionOf } from './text-file.ts'
import { displayPath, resolvePath, type Workspace } from './workspace.ts'
import description from './write.md'

export const write = defineTool({
  name: 'write',
  description,
  capability: 'tool_edit_file',
  readOnly: false,
  schema: (schemas) => schemas.write,
  async run(args, workspace, { signal }) {
    const path = resolvePath(workspace, args.path)
    return workspace.ledger.exclusively(path, () => overwrite(workspace, path, args.content, signal))
  },
})

async function overwrite(
  workspace: Workspace,
  path: string,
  content: string,
  signal: AbortSignal,
): Promise<ToolResult> {
  const shown = displayPath(workspace, path)
  const current = await readIfThere(workspace, path, signal)
  if (current?.type === 'refused') return errorResult(`${shown} was not written: ${current.why}`)
  const after = new TextEncoder().encode(content)
  await workspace.artifacts.writeFile(path, after, { signal })
  workspace.ledger.record(path, revisionOf(after))
  const lines = content === '' ? 0 : content.split('\n').length - (content.endsWith('\n') ? 1 : 0)
  return textResult(
    `${current === undefined ? 'created' : 'overwrote'} ${shown} (${lines} lines, ${after.length} bytes)`,
    changeDetails(shown, current?.bytes, after),
  )
}

async function readIfThere(workspace: Workspace, path: string, signal: AbortSignal) {
  try {
    return await readForChange(workspace, path, signal)
  } catch (error) {
    if (isPipeError(error) && error.code === 'not_found') return undefined
    throw error
  }
}
