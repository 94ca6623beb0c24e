import { isPipeError, unreachable } from '../error.ts'
import { errorResult, type ToolResult, textResult } from '../tool.ts'
import { changeDetails } from './change-details.ts'
import { readForChange } from './current-file.ts'
import { defineTool } from './definition.ts'
import description from './edit.md'
import { missingFile } from './near-names.ts'
import { type Replacement, type ReplacementRequest, replaceText } from './replacement.ts'
import { decodeExactly, revisionOf } from './text-file.ts'
import { displayPath, resolvePath, type Workspace } from './workspace.ts'

export const edit = defineTool({
  name: 'edit',
  description,
  capability: 'tool_edit_file',
  readOnly: false,
  schema: (schemas) => schemas.edit,
  async run(args, workspace, { signal }) {
    const { old_text: oldText, new_text: newText, replace_all: replaceAll = false } = args
    if (oldText === '') return errorResult('old_text is empty; to make a file use write')
    if (oldText === newText) return errorResult('old_text and new_text are the same')
    const path = resolvePath(workspace, args.path)
    const request = { oldText, newText, replaceAll }
    return workspace.ledger.exclusively(path, async () => {
      try {
        return await change(workspace, path, request, signal)
      } catch (error) {
        if (!isPipeError(error) || error.code !== 'not_found') throw error
        return errorResult(await missingFile(workspace, path, signal))
      }
    })
  },
})

async function change(
  workspace: Workspace,
  path: string,
  request: ReplacementRequest,
  signal: AbortSignal,
): Promise<ToolResult> {
  const shown = displayPath(workspace, path)
  const refuse = (why: string) => errorResult(`${shown} was not changed: ${why}`)
  const current = await readForChange(workspace, path, signal)
  if (current.type === 'refused') return refuse(current.why)
  const text = decodeExactly(current.bytes)
  if (text === undefined) return refuse('it is not UTF-8 text; change it through bash')
  const replacement = replaceText(text, request)
  if (replacement.type !== 'replaced') return refuse(advice(replacement))
  const after = new TextEncoder().encode(replacement.text)
  await workspace.artifacts.writeFile(path, after, { signal })
  workspace.ledger.record(path, revisionOf(after))
  const { count } = replacement
  return textResult(
    `changed ${shown}${count === 1 ? '' : ` in ${count} places`}`,
    changeDetails(shown, current.bytes, after),
  )
}

function advice(failure: Exclude<Replacement, { type: 'replaced' }>): string {
  switch (failure.type) {
    case 'missing': {
      const near = failure.nearLine
      const hint = near === undefined ? '' : `; line ${near} is like its first line: compare white space`
      return `old_text is not in it${hint}. Read the file again and copy the text exactly`
    }
    case 'ambiguous': {
      const { lines } = failure
      const list = lines.slice(0, 10).join(', ') + (lines.length > 10 ? ' …' : '')
      return `old_text matches ${lines.length} times, on lines ${list}; add lines around it to match once, or set replace_all`
    }
    default:
      return unreachable(failure)
  }
}
