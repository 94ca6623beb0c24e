import * as z from 'zod'
import type { StreamLine } from '../support/programs/stream-lines.ts'

const block = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  thinking: z.string().optional(),
  id: z.string().optional(),
  name: z.string().optional(),
  arguments: z.json().optional(),
})

const message = z.looseObject({
  type: z.enum(['user', 'assistant', 'tool_result']),
  content: z.array(block),
  tool_call_id: z.string().optional(),
  is_error: z.boolean().optional(),
  details: z.looseObject({ diff: z.string().optional() }).optional(),
})

type Block = z.infer<typeof block>
type Message = z.infer<typeof message>

/** Formats a run as readable text: messages, calls numbered in order, results, and the exit code. */
export function transcribe(lines: readonly StreamLine[], cwd: string): string {
  const names = new Map<string, string>()
  const name = (id = '') => {
    const known = names.get(id) ?? `call ${names.size + 1}`
    names.set(id, known)
    return known
  }
  const parts = lines.flatMap((line) => {
    if (line.type === 'result') return [ending(line)]
    if (line.type !== 'turn_start' && line.type !== 'message') return []
    return [show(message.parse(line['message']), name)]
  })
  return parts
    .join('\n')
    .replaceAll(cwd, '<project>')
    .replace(/^( *date:) .*/gm, '$1 <date>')
    .replace(/^( *platform:) .*/gm, '$1 <platform>')
}

function show(
  { type, content, tool_call_id, is_error, details }: Message,
  name: (id?: string) => string,
): string {
  const text = content.map((part) => showBlock(part, name)).join('\n')
  if (type === 'user') return `USER\n${indent(text)}`
  if (type === 'assistant') return `ASSISTANT\n${indent(text)}`
  const diff = details?.diff === undefined ? '' : `\n  diff\n${indent(indent(details.diff))}`
  return `RESULT of ${name(tool_call_id)}${is_error === true ? ', an error' : ''}\n${indent(text)}${diff}`
}

function showBlock({ type, text, thinking, id, ...call }: Block, name: (id?: string) => string): string {
  if (text !== undefined) return text
  if (thinking !== undefined) return `(${thinking})`
  return type === 'tool_call' ? `${name(id)}: ${call.name} ${JSON.stringify(call.arguments)}` : type
}

function ending(line: StreamLine): string {
  const denied = z.array(z.looseObject({ name: z.string() })).parse(line['permission_denials'])
  const denials = denied.length === 0 ? '' : `, denied: ${denied.map((denial) => denial.name).join(', ')}`
  return `EXIT ${line['exit_code']} after ${line['rounds']} rounds${denials}\n`
}

function indent(text: string): string {
  return text.trimEnd().replace(/^(?=.)/gm, '  ')
}
