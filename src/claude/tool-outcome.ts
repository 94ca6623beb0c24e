import { isJsonObject, type JsonObject, type JsonValue } from '../json-value.ts'
import { outputText, type ToolResultMessage } from '../message.ts'
import { omitUndefined } from '../omit-undefined.ts'

export interface CallInWords {
  /** The result as the model gets it. */
  readonly content: JsonValue
  /** The arguments, in Claude's words. */
  readonly input: JsonObject
}

/** Returns what a call came to, for programs: an error, what a command printed, the changes of a file, or else the content. */
export function toolOutcome(
  { content: [first], details, isError }: ToolResultMessage,
  { content, input }: CallInWords,
): JsonValue {
  if (isError) return typeof content === 'string' ? `Error: ${content}` : content
  const { exit_code: exitCode, diff, before } = isJsonObject(details) ? details : {}
  // The first block is the output of the command. Words of hooks and instructions follow it.
  if (typeof exitCode === 'number' && first?.type === 'text')
    return {
      stdout: outputText(first.text),
      stderr: '',
      interrupted: false,
      isImage: false,
    }
  if (typeof diff !== 'string') return content
  const { file_path: filePath, old_string: oldString, new_string: newString, content: whole } = input
  return {
    ...omitUndefined({ filePath, oldString, newString, content: whole }),
    type: before === undefined ? 'create' : 'update',
    structuredPatch: before === undefined ? [] : hunksOf(diff),
  }
}

const hunkHead = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/

/** Splits a unified diff of one file into its hunks. */
function hunksOf(diff: string): readonly JsonObject[] {
  const hunks: { head: readonly number[]; lines: string[] }[] = []
  for (const line of diff.split('\n')) {
    const match = hunkHead.exec(line)
    if (match !== null) hunks.push({ head: match.slice(1).map((count = '1') => Number(count)), lines: [] })
    else if (/^[-+ \\]/.test(line)) hunks.at(-1)?.lines.push(line)
  }
  return hunks.map(({ head: [oldStart = 0, oldLines = 0, newStart = 0, newLines = 0], lines }) => ({
    oldStart,
    oldLines,
    newStart,
    newLines,
    lines,
  }))
}
