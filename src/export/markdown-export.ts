import { unreachable } from '../error.ts'
import { isJsonObject } from '../json-value.ts'
import { callMark, callSize } from './call-outcome.ts'
import type { CallPart, DocumentPart, Media } from './document-parts.ts'
import type { Transcript } from './exported-transcript.ts'
import { facts } from './facts.ts'
import { codeSpan, fenced } from './fence.ts'
import { harmlessMarkdown } from './harmless-markdown.ts'
import { escapeMarkdown } from './markdown-escape.ts'

/** Renders a conversation as Markdown, part by part. Leaves thinking out. */
export function* renderMarkdown(transcript: Transcript): Generator<string> {
  const listed = facts(transcript).map(([name, value]) => `- ${name}: ${plain(value)}\n`)
  yield `# ${plain(transcript.title)}\n\n${listed.join('')}\n`
  for (const part of transcript.parts()) {
    const text = markdownOf(part)
    if (text !== '') yield `${text}\n\n`
  }
}

function markdownOf(part: DocumentPart): string {
  switch (part.type) {
    case 'prompt': {
      const attached = part.attached === undefined ? [] : [`*${plain(part.attached)}*`]
      const said = [harmlessMarkdown(part.text), ...attached, ...labels(part.media)].join('\n\n')
      return `## You\n\n${said.replace(/^/gm, '> ').replace(/^> $/gm, '>')}`
    }
    case 'speaker':
      return `*${plain(part.model)}*`
    case 'reply':
      return harmlessMarkdown(part.text)
    case 'thinking':
      return ''
    case 'media':
      return labels(part.media).join('\n\n')
    case 'note':
      return part.text.replace(/^.*$/gm, (line) => (line.trim() === '' ? '' : `*${plain(line.trim())}*`))
    case 'call':
      return callMarkdown(part)
    default:
      return unreachable(part)
  }
}

function callMarkdown(part: CallPart): string {
  const { name, target, arguments: args, output, diff, outcome, media } = part
  const size = callSize(part)
  const title = [
    `${callMark(part)} **${plain(name)}**`,
    ...(target === '' ? [] : [codeSpan(target)]),
    ...(size === '' ? [] : [`· ${size}`]),
  ].join(' ')
  const command = isJsonObject(args) && typeof args['command'] === 'string' ? args['command'] : ''
  const blocks = [
    command.includes('\n') ? fenced(command, 'bash') : '',
    diff !== undefined && outcome === 'done' ? fenced(diff, 'diff') : fenced(output, 'text'),
  ]
  return [title, ...blocks.filter((block) => block !== ''), ...labels(media)].join('\n\n')
}

function labels(media: readonly Media[]): readonly string[] {
  return media.map(({ label }) => `*${plain(label)}*`)
}

/** Escapes a text, so that Markdown shows it as it is, on one line. */
function plain(text: string): string {
  return escapeMarkdown(text, /[\\`*_~[\]<>&|#!]/g).replace(/\s+/g, ' ')
}
