import {
  childrenOf,
  fencedLanguage,
  isList,
  isSafeLink,
  isTable,
  markdownTokens,
  type Token,
  targetOf,
  withoutReferences,
} from '../../frontend/markdown-tokens.ts'
import { escapeHtml } from './escape.ts'
import { codeBlock, type HtmlHighlight } from './html-code.ts'

/** Renders Markdown as HTML of our own making: markup in the text is shown, never passed on. Headings begin at the third level. */
export function renderProse(text: string, highlight: HtmlHighlight): string {
  const tokens = markdownTokens(text)
  return tokens === undefined ? `<p class="plain">${escapeHtml(text)}</p>\n` : blocks(tokens)

  function blocks(list: readonly Token[]): string {
    return list.map(block).join('')
  }

  function block(token: Token): string {
    switch (token.type) {
      case 'space':
      case 'def':
      case 'checkbox':
        return ''
      case 'heading': {
        const level = Math.min(6, Number('depth' in token ? token.depth : 1) + 2)
        return `<h${level}>${inlines(childrenOf(token))}</h${level}>\n`
      }
      case 'paragraph':
        return `<p>${inlines(childrenOf(token))}</p>\n`
      case 'text':
        return inline(token)
      case 'code':
        return codeBlock(highlight(String(token['text']), fencedLanguage(token)))
      case 'hr':
        return '<hr>\n'
      case 'blockquote':
        return `<blockquote>\n${blocks(childrenOf(token))}</blockquote>\n`
      case 'list':
        return listHtml(token)
      case 'table':
        return tableHtml(token)
      default:
        return `<p class="plain">${escapeHtml(token.raw.trimEnd())}</p>\n`
    }
  }

  function listHtml(token: Token): string {
    if (!isList(token)) return ''
    const items = token.items.map(({ task, checked, tokens: inner }) => {
      const box = task ? (checked === true ? '☑ ' : '☐ ') : ''
      return `<li${task ? ' class="task"' : ''}>${box}${blocks(inner)}</li>\n`
    })
    const [name, start] = token.ordered ? ['ol', Number(token.start)] : ['ul', 1]
    return `<${name}${start === 1 ? '' : ` start="${start}"`}>\n${items.join('')}</${name}>\n`
  }

  function tableHtml(token: Token): string {
    if (!isTable(token)) return ''
    const row = (cells: typeof token.header, name: string) => {
      const made = cells.map(({ tokens: inner, align }) => {
        const side = align === null ? '' : ` class="${align}"`
        return `<${name}${side}>${inlines(inner)}</${name}>`
      })
      return `<tr>${made.join('')}</tr>\n`
    }
    const body = token.rows.map((cells) => row(cells, 'td')).join('')
    const table = `<table>\n<thead>${row(token.header, 'th')}</thead>\n<tbody>${body}</tbody>\n</table>`
    return `<div class="wide" tabindex="0">${table}</div>\n`
  }

  function inlines(list: readonly Token[]): string {
    return list.map(inline).join('')
  }

  function inline(token: Token): string {
    switch (token.type) {
      case 'strong':
      case 'em':
      case 'del':
        return `<${token.type}>${inlines(childrenOf(token))}</${token.type}>`
      case 'codespan':
        return `<code>${escapeHtml(String(token['text']))}</code>`
      case 'link':
        return link(token, inlines(childrenOf(token)))
      case 'image':
        // An image from elsewhere would tell its server who reads the page.
        return link(
          token,
          `[image: ${escapeHtml(withoutReferences(String(token['text'])) || targetOf(token))}]`,
        )
      case 'br':
        return '<br>\n'
      case 'text': {
        const inner = childrenOf(token)
        return inner.length > 0 ? inlines(inner) : escapeHtml(withoutReferences(token.raw))
      }
      case 'escape':
        return escapeHtml(String(token['text']))
      default:
        return escapeHtml(token.raw)
    }
  }
}

/** Links a page or a mailbox. Shows any other target behind the text instead. */
function link(token: Token, html: string): string {
  const href = targetOf(token)
  if (isSafeLink(href)) return `<a href="${escapeHtml(href)}" rel="noreferrer noopener">${html}</a>`
  return href === '' ? html : `${html} <span class="target">(${escapeHtml(href)})</span>`
}
