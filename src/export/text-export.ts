import { unreachable } from '../error.ts'
import { callMark } from './call-outcome.ts'
import type { DocumentPart, Media } from './document-parts.ts'
import type { Transcript } from './exported-transcript.ts'

/** Renders a conversation as plain text, part by part. Leaves thinking out. */
export function* renderText(transcript: Transcript): Generator<string> {
  for (const part of transcript.parts()) {
    const text = textOf(part)
    if (text !== '') yield `${text}\n\n`
  }
}

function textOf(part: DocumentPart): string {
  switch (part.type) {
    case 'prompt': {
      const attached = part.attached === undefined ? [] : [`[${part.attached}]`]
      return [`> ${part.text.replaceAll('\n', '\n> ')}`, ...attached, ...labels(part.media)].join('\n')
    }
    case 'speaker':
      return `[${part.model}]`
    case 'reply':
      return part.text.trimEnd()
    case 'thinking':
      return ''
    case 'media':
      return labels(part.media).join('\n')
    case 'note':
      return `[${part.text}]`
    case 'call': {
      const title = `• ${part.name} ${part.target}`.trimEnd()
      if (part.outcome === 'unanswered') return title
      const result = [part.output, ...labels(part.media)].filter((text) => text !== '').join('\n')
      return `${title}\n  ${callMark(part)} ${result.replaceAll('\n', '\n    ')}`.trimEnd()
    }
    default:
      return unreachable(part)
  }
}

function labels(media: readonly Media[]): readonly string[] {
  return media.map(({ label }) => `[${label}]`)
}
