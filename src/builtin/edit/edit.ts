import type * as z from 'zod/mini'
import { hasCode } from '../../error.ts'
import type { JsonObject } from '../../json-value.ts'
import { errorResult, type ToolResult, textResult } from '../../tool.ts'
import type * as Schemas from '../arguments.ts'
import { byteOrderMark } from '../file/encoding.ts'
import { type LocatedFile, locate } from '../file/located-file.ts'
import { missingFile } from '../file/near-names.ts'
import { defineRunner } from '../runner.ts'
import type { Workspace } from '../workspace.ts'
import { writeChange } from './changed-file.ts'
import { readForChange } from './current-file.ts'
import { applyAllEdits } from './edited-text.ts'
import { createPause } from './pause.ts'
import type { ReplacementRequest } from './replacement.ts'
import { overwrite } from './write.ts'

/** Marks an edit that does not fit a file that the model has read. */
const mismatch = { mismatch: true } as const

export const edit = defineRunner({
  name: 'edit',
  schema: (schemas) => schemas.edit(),
  async run(args, workspace, context) {
    const { signal } = context
    const requests = requestsOf(args)
    for (const { oldText, newText } of requests) {
      if (oldText === newText) return errorResult('old_text and new_text are the same')
    }
    const file = await locate(workspace, args.path, context)
    return workspace.ledger.exclusively(file, async () => {
      try {
        return await change(workspace, file, requests, signal)
      } catch (error) {
        if (!hasCode(error, 'not_found')) throw error
        const whole = wholeText(requests)
        if (whole !== undefined) return overwrite(workspace, file, whole, signal)
        return errorResult(await missingFile(workspace, file.path, signal))
      }
    })
  },
})

/** The edit of the short form, then those of the list. An empty short form beside a list does not count. */
function requestsOf(args: z.infer<ReturnType<typeof Schemas.edit>>): ReplacementRequest[] {
  const { old_text, new_text, replace_all, edits = [] } = args
  const isMissing = old_text === undefined || new_text === undefined || (old_text === '' && edits.length > 0)
  const single = isMissing ? [] : [{ old_text, new_text, replace_all }]
  return [...single, ...edits].map((one) => ({
    oldText: one.old_text,
    newText: one.new_text,
    replaceAll: one.replace_all ?? false,
  }))
}

/** The whole content of a new file, if that is the request. */
function wholeText([only, ...others]: readonly ReplacementRequest[]): string | undefined {
  return only?.oldText === '' && others.length === 0 ? only.newText : undefined
}

async function change(
  workspace: Workspace,
  file: LocatedFile,
  requests: readonly ReplacementRequest[],
  signal: AbortSignal,
): Promise<ToolResult> {
  const refuse = (why: string, details?: JsonObject) =>
    errorResult(`${file.shown} was not changed: ${why}`, details)
  const current = await readForChange(workspace, file, signal)
  if (current.type === 'refused') return refuse(current.why, current.details)
  const { decoded } = current.content
  if (decoded === undefined) return refuse('it is not clean text; change it through bash')
  const mark = decoded.text.startsWith(byteOrderMark) ? byteOrderMark : ''
  const text = decoded.text.slice(mark.length)
  const whole = wholeText(requests)
  if (text === '' && whole !== undefined) return overwrite(workspace, file, whole, signal)
  const edited = await applyAllEdits(text, requests, createPause(workspace.clock, signal))
  if (edited.type === 'refused') return refuse(edited.why, mismatch)
  const after = { ...decoded, text: mark + edited.text }
  const changed = await writeChange(workspace, { file, before: current.content, after }, signal)
  if (changed.type === 'refused') return refuse(changed.why)
  const { places, notes } = edited
  const said = `changed ${file.shown}${places === 1 ? '' : ` in ${places} places`}`
  return textResult([said, ...notes, ...changed.notes].join('\n'), changed.details)
}
