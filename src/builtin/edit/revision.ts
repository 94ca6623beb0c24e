import { isPipeError, throwIfAborted } from '../../error.ts'
import { isJsonObject, type JsonValue, textField } from '../../json-value.ts'
import type { Revisable, ToolContext } from '../../tool.ts'
import type { Workspace } from '../workspace.ts'
import { unifiedDiff } from './line-diff.ts'
import { runWithoutWriting } from './preview.ts'

/** Returns the text that a call would leave in a file, for a user who changes it; `undefined` unless it is UTF-8. */
export async function revisableChange(
  call: { readonly name: string; readonly arguments: JsonValue },
  workspace: Workspace,
  context: ToolContext,
): Promise<Revisable | undefined> {
  const { arguments: args } = call
  const path = textField(args, 'path')
  if (path === undefined || !isJsonObject(args)) return undefined
  try {
    const { read, written } = await runWithoutWriting(call, workspace, context)
    const [before, text] = [textOf(read), textOf(written)]
    if (text === undefined || (read !== undefined && before === undefined)) return undefined
    return {
      path,
      text,
      revised: (other) => {
        if (other === (before ?? '')) return undefined
        const given =
          args['content'] === undefined
            ? { path, old_text: before ?? '', new_text: other }
            : { ...args, content: other }
        return { arguments: given, note: noteOf(unifiedDiff(path, text, other)) }
      },
    }
  } catch (error) {
    throwIfAborted(context.signal)
    if (isPipeError(error)) return undefined
    throw error
  }
}

/** Lines of the difference that the model is shown. */
const mostLines = 80

function noteOf(diff: string): string {
  const lines = diff.trimEnd().split('\n')
  const more = lines.length - mostLines
  const shown = [...lines.slice(0, mostLines), ...(more > 0 ? [`(${more} more lines)`] : [])]
  return `Before allowing it, the user changed the text that you wanted to leave there:\n${shown.join('\n')}`
}

/** Decodes UTF-8, without a byte order mark. */
function textOf(bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}
