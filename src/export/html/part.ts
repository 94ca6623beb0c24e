import { unreachable } from '../../error.ts'
import { isJsonObject } from '../../json-value.ts'
import { isImageData } from '../../media/image-type.ts'
import { callMark, callSize } from '../call-outcome.ts'
import type { CallPart, DocumentPart, Media } from '../document-parts.ts'
import { escapeHtml } from './escape.ts'
import { codeBlock, type HtmlHighlight } from './html-code.ts'
import { diffHtml } from './html-diff.ts'
import { renderProse } from './html-prose.ts'

/** Renders one part of a conversation. `id` is the anchor of a prompt. */
export function partHtml(part: DocumentPart, id: string, highlight: HtmlHighlight): string {
  switch (part.type) {
    case 'prompt': {
      const time = part.time.trim() === '' ? '' : ` <time>${escapeHtml(part.time)}</time>`
      const attached = part.attached === undefined ? '' : remark(part.attached)
      const said = part.text.trim() === '' ? '' : `<div class="said">${escapeHtml(part.text.trim())}</div>\n`
      return `<h2 id="${id}"><a href="#${id}">You</a>${time}</h2>\n${said}${attached}${mediaHtml(part.media)}`
    }
    case 'speaker':
      return `<p class="speaker">${escapeHtml(part.model)}</p>\n`
    case 'reply':
      return `<div class="reply">\n${renderProse(part.text, highlight)}</div>\n`
    case 'thinking':
      return fold('thinking', '<span class="name">Thinking</span>', renderProse(part.text, highlight))
    case 'media':
      return mediaHtml(part.media)
    case 'note':
      return remark(part.text)
    case 'call':
      return callHtml(part, highlight)
    default:
      return unreachable(part)
  }
}

function callHtml(part: CallPart, highlight: HtmlHighlight): string {
  const { name, target, outcome, output, diff, media } = part
  const summary = [
    `<span class="mark" aria-hidden="true">${callMark(part)}</span>`,
    `<span class="name">${escapeHtml(name)}</span>`,
    `<span class="target">${escapeHtml(target)}</span>`,
    `<span class="size">${escapeHtml(callSize(part))}</span>`,
  ]
  const result = output === '' ? '' : codeBlock(escapeHtml(output))
  const body = diff !== undefined && outcome === 'done' ? diffHtml(diff) : inputHtml(part, highlight) + result
  const shown = body + mediaHtml(media)
  return fold(`call ${outcome}`, summary.join(' '), shown === '' ? remark('no output') : shown)
}

/** Renders the arguments that the summary does not show: a command, or all of them if one is missing there. */
function inputHtml({ arguments: args, target }: CallPart, highlight: HtmlHighlight): string {
  const fields = isJsonObject(args) ? args : undefined
  const command = fields?.['command']
  if (typeof command === 'string') return codeBlock(highlight(command, 'bash'))
  const isShown = (value: unknown) => typeof value === 'string' && target.includes(value)
  if (fields !== undefined && Object.values(fields).every(isShown)) return ''
  if (typeof args === 'string') return codeBlock(escapeHtml(args))
  return codeBlock(highlight(JSON.stringify(args, undefined, 2), 'json'))
}

function fold(name: string, summary: string, body: string): string {
  return `<details class="${name}">\n<summary>${summary}</summary>\n<div class="body">\n${body}</div>\n</details>\n`
}

function remark(text: string): string {
  return `<p class="remark">${escapeHtml(text.trim())}</p>\n`
}

function mediaHtml(media: readonly Media[]): string {
  return media.map(oneMedia).join('')
}

function oneMedia({ label, block }: Media): string {
  const caption = `<figcaption>${escapeHtml(label)}</figcaption>`
  if (block.type !== 'image' || !isImageData(block.mimeType, block.data))
    return `<figure>${caption}</figure>\n`
  return `<figure><img alt="" src="data:${block.mimeType};base64,${block.data}">${caption}</figure>\n`
}
