import { oneLine } from '../../../characters/one-line.ts'
import { formatBytes } from '../../../frontend/words/amount.ts'
import { callTarget } from '../../../frontend/words/call-target.ts'
import { denialOf } from '../../../frontend/words/denial.ts'
import { errorCount, errorLines } from '../../../frontend/words/new-errors.ts'
import type { JsonObject, JsonValue } from '../../../json-value.ts'
import { isImageData } from '../../../media/image-type.ts'
import { isCalledText, isElfReport, isLoopMessage, isMark, outputText, spokenText } from '../../../message.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { list, object, objects, text } from '../../../wire/json-fields.ts'
import type { EndedCall, OpenCall, PageEntry, PageMedia, PlanItem } from './page-entry.ts'

/** Longest output of a call that is kept, in characters. */
const mostOutput = 200_000

/** Errors that are shown below a call. */
const mostErrors = 5

/** Longest target of a call in characters. */
const mostTarget = 300

/** Makes entries of a user's message. */
export function promptEntries(message: JsonObject): readonly PageEntry[] {
  const metadata = readMetadata(message)
  const about = { type: 'user', metadata } as const
  // The elf has its own row, and so have the commands of a skill.
  if (isElfReport(about) || isCalledText(about)) return []
  const content = objects(message['content'])
  const said = spokenText({ content: content.map(readText), metadata }).trim()
  if (isMark(about)) return [noteEntry('Earlier messages were summarised for the model.')]
  if (isLoopMessage(about)) return [noteEntry(said)]
  const attached = metadata['attached']
  return [
    {
      type: 'prompt',
      text: said,
      time: text(message['timestamp']),
      notes: attached === undefined ? [] : [`attached ${attached}`],
      media: mediaOf(content),
    },
  ]
}

/** Reasons why a reply ended before the model meant it to. */
const endings: Readonly<Record<string, string>> = {
  aborted: 'Stopped.',
  error: 'The reply broke off with an error.',
  length: 'The reply was cut at the length limit.',
  refusal: 'The model refused.',
}

/** Makes entries of a reply, without its calls. */
export function replyEntries(message: JsonObject): readonly PageEntry[] {
  const entries = objects(message['content']).flatMap((block): readonly PageEntry[] => {
    const words = text(block['type'] === 'thinking' ? block['thinking'] : block['text'])
    switch (block['type']) {
      case 'text':
        return words.trim() === '' ? [] : [{ type: 'reply', text: words }]
      case 'thinking':
        return words.trim() === '' ? [] : [{ type: 'thinking', text: words }]
      case 'image':
        return [{ type: 'media', media: mediaOf([block]) }]
      default:
        return []
    }
  })
  const ending = endings[text(message['stop_reason'])]
  return ending === undefined ? entries : [...entries, noteEntry(ending)]
}

/** Lists the calls of a reply, which wait for their results. */
export function pendingCalls(message: JsonObject): readonly OpenCall[] {
  return objects(message['content'])
    .filter(({ type }) => type === 'tool_call')
    .map((block) => openCall(text(block['id']), text(block['name']), block['arguments']))
}

/** Opens a call. Without arguments the model still writes them. */
export function openCall(id: string, name: string, args: JsonValue | undefined): OpenCall {
  return {
    id,
    name,
    arguments: args ?? null,
    output: '',
    target: args === undefined ? '' : oneLine(callTarget(args), mostTarget),
    state: args === undefined ? 'writing' : 'waiting',
  }
}

/** Ends a call by its result: a message, or the event of its end. */
export function endCall(call: OpenCall, result: JsonObject): EndedCall {
  const content = objects(result['content'])
  const output = content.map((block) => text(block['text'])).join('')
  const details = object(result['details'])
  const diff = text(details?.['diff'])
  const plan = objects(details?.['todo']).map(readPlanItem)
  const durationMs = result['duration_ms']
  const count = errorCount(details)
  const isError = result['is_error'] === true
  return {
    type: 'call',
    id: call.id,
    name: call.name,
    target: call.target,
    arguments: call.arguments,
    outcome: isError ? 'failed' : 'done',
    output: bounded(outputText(output)),
    media: mediaOf(content),
    ...omitUndefined({
      denial: denialOf({ isError, details, text: output }),
      diff: diff === '' ? undefined : diff,
      plan: plan.length === 0 ? undefined : plan,
      errors: count === '' ? undefined : { count, lines: errorLines(details, mostErrors) },
      durationMs: typeof durationMs === 'number' ? durationMs : undefined,
    }),
  }
}

/** Ends a call that never got a result. */
export function interruptCall(call: OpenCall): EndedCall {
  const { id, name, target, arguments: args, output } = call
  return { type: 'call', id, name, target, arguments: args, outcome: 'interrupted', output, media: [] }
}

export function noteEntry(words: string, level: 'info' | 'error' = 'info'): PageEntry {
  return { type: 'note', level, text: words }
}

function bounded(output: string): string {
  const left = output.length - mostOutput
  return left <= 0 ? output : `${output.slice(0, mostOutput)}\n… ${formatBytes(left)} more`
}

function readPlanItem(item: JsonObject): PlanItem {
  return { text: text(item['text']), status: text(item['status']) }
}

function readText(block: JsonObject) {
  return { type: text(block['type']), text: text(block['text']) }
}

function readMetadata(message: JsonObject): Readonly<Record<string, string>> {
  const fields = Object.entries(object(message['metadata']) ?? {})
  return Object.fromEntries(
    fields.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
}

function mediaOf(content: readonly JsonObject[]): readonly PageMedia[] {
  return content
    .filter(({ type }) => type === 'image' || type === 'document')
    .map((block) => {
      const [mimeType, data] = [text(block['mime_type']), text(block['data'])]
      const name = text(block['name']) || text(block['type'])
      return {
        label: `${name}, ${mimeType}, ${formatBytes(Math.floor((data.length * 3) / 4))}`,
        source: isImageData(mimeType, data) ? `data:${mimeType};base64,${data}` : undefined,
      }
    })
}

/** Returns the blocks of a list that hold text, joined. */
export function joinedText(content: JsonValue | undefined): string {
  return list(content)
    .map((block) => text(object(block)?.['text']))
    .join('')
}
