import { formatLines } from '../../frontend/words/amount.ts'
import { isJsonObject } from '../../json-value.ts'
import { outputText } from '../../message.ts'
import { cut, type Line, line, type Style, span } from '../rows/line.ts'
import { bodyMargin, withRight } from '../rows/row.ts'
import { allLines, type EndedCall } from './call.ts'

/** Rows of a failure that are shown. */
const shownLines = 3
/** Characters of a text that are searched for the lines that say why, from its end. */
const searched = 64_000
/** Characters of a line that are drawn. */
const longestLine = 1_000

/** Lines of output that say why something failed, whatever the tool. */
const telling =
  /^\s*(not ok\b|[\u2717\u2716\u00d7\u2718] ?|FAIL\b|FAILED\b|--- FAIL|E {2,}|fatal: |panic: |thread '.*' panicked)|(\b[A-Z]\w*(Error|Exception)\b|\berror(\[\w+\]| TS\d+)?: |\bassertion .*failed\b|command not found|No such file|Permission denied$|undefined reference)/i

const announcing = /([|>:]-?|[{[(])\s*$|^\s*(name|code|type|failureType): /

const quiet: Style = { color: 'muted' }
const hint: Style = { color: 'faint' }

/** Returns the lines that say why something failed, else its last one. */
function tellingLines(text: string): readonly string[] {
  const lines = text
    .slice(-searched)
    .split('\n')
    .filter((one) => one.trim() !== '')
  const found = [...new Set(lines.map((one) => one.slice(0, longestLine)).filter(isTelling))]
  return found.length > 0 ? found.slice(0, shownLines) : lines.slice(-1)
}

/** A line that only announces others tells nothing. */
function isTelling(text: string): boolean {
  return telling.test(text) && !announcing.test(text)
}

/** Draws the lines that say why a command failed, with the `key` that shows all of its output. */
export function drawFailure(call: EndedCall, columns: number, key: string): Line[] {
  const output = withoutVerdict(call.text)
  if (output === '') return []
  const total = allLines(call) ?? output.split('\n').length
  const shown = tellingLines(output)
  const margin = ' '.repeat(bodyMargin(columns))
  return shown.map((one, i) => {
    const row: Line = [span(margin), span(one.slice(0, longestLine).trim(), quiet)]
    const isMore = i === 0 && total > shown.length
    return isMore
      ? withRight(row, [line(`${key} ${formatLines(total)}`.trimStart(), hint), []], columns)
      : cut(row, columns)
  })
}

/** Whether a call did not run because of its arguments, which its tool explains to the model. */
export function hasBadArguments({ text }: EndedCall): boolean {
  return text.startsWith('bad arguments for ')
}

/** Draws what a tool other than a command said when it failed, without its advice to the model. */
export function drawRefusal(call: EndedCall, columns: number): Line[] {
  const [first = ''] = call.text.split('\n', 1)
  const said = hasBadArguments(call)
    ? 'the model got the arguments wrong, and was told the right ones'
    : (first.split('; ', 1)[0]?.slice(0, longestLine) ?? '')
  return said === '' ? [] : [cut([span(' '.repeat(bodyMargin(columns))), span(said, quiet)], columns)]
}

/** Describes the end of a failed command in a few words: `exit 1`, `timed out`. */
export function exitWords({ details }: EndedCall): string {
  if (!isJsonObject(details)) return ''
  const { exit_code: code, signal, timed_out: isLate } = details
  if (isLate === true) return 'timed out'
  if (typeof signal === 'string') return signal
  return typeof code === 'number' ? `exit ${code}` : ''
}

/** Removes the last line in brackets, which tells the model how the command ended. */
function withoutVerdict(text: string): string {
  const trimmed = text.trimEnd()
  const at = trimmed.lastIndexOf('\n') + 1
  const isVerdict = trimmed.startsWith('[', at) && trimmed.endsWith(']')
  return outputText(isVerdict ? trimmed.slice(0, at).trimEnd() : trimmed)
}
