import { limits } from '../tool-limits.ts'
import { isTooDeep } from './markup-depth.ts'

/** The parts of an element that the rules below use. */
interface Markup {
  readonly nodeName: string
  readonly className: string
  readonly textContent: string | null
  readonly childNodes: ArrayLike<Markup>
  readonly parentNode: Markup | null
  readonly previousElementSibling: Markup | null
  getAttribute(name: string): string | null
  querySelector(selector: string): Markup | null
}

/** Converts a page to Markdown with absolute links. Returns only the first part if it is too long, bare text if too deep. */
export async function toMarkdown(html: string, url: string): Promise<string> {
  const markup = withoutUnread(html)
  const shown = markup.slice(0, limits.markup)
  const text = isTooDeep(shown) ? bareText(shown) : (await createConverter(url)).turndown(shown)
  return shown.length < markup.length ? `${text}\n\n[this is only the first part of the page]` : text
}

const unread = ['script', 'style', 'svg', 'template'] as const

async function createConverter(url: string) {
  const { default: Turndown } = await import('turndown')
  const converter = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' })
  converter.remove([...unread, 'noscript', 'iframe', 'object', 'canvas', 'button', 'select', 'textarea'])
  for (const [name, { filter, write }] of Object.entries(rules)) {
    converter.addRule(name, {
      filter: [...filter],
      replacement: (content, node) => (isMarkup(node) ? write(content, node, url) : content),
    })
  }
  // The converter applies the rule added last first.
  converter.addRule('hidden', {
    filter: (node) => isMarkup(node) && isHidden(node),
    replacement: () => '',
  })
  return converter
}

function isMarkup(node: object): node is Markup {
  return 'nodeName' in node && 'getAttribute' in node
}

/** Overrides how the converter writes some elements. */
interface Rule {
  readonly filter: readonly string[]
  write(content: string, node: Markup, url: string): string
}

const rules: Readonly<Record<string, Rule>> = {
  title: { filter: ['title'], write: (content) => `${content.trim()}\n\n` },
  link: {
    filter: ['a'],
    write: (content, node, url) => {
      // Headings do not work inside a link.
      const text = oneLine(content).replace(/^#+ /, '')
      const target = absolute(node.getAttribute('href'), url)
      return text === '' || target === undefined ? text : `[${text}](${target})`
    },
  },
  picture: {
    filter: ['img'],
    write: (_, node, url) => {
      const [text, target] = [
        oneLine(node.getAttribute('alt') ?? ''),
        absolute(node.getAttribute('src'), url),
      ]
      return text === '' || target === undefined ? text : `![${text}](${target})`
    },
  },
  code: { filter: ['pre'], write: (_, node) => fenced(node) },
  cell: { filter: ['th', 'td'], write: (content) => ` ${oneLine(content)} |` },
  row: {
    filter: ['tr'],
    write: (content, node) => `\n|${content}${isHead(node) ? underline(node) : ''}`,
  },
  rows: { filter: ['thead', 'tbody', 'tfoot'], write: (content) => content },
}

/** Removes elements that are often most of the markup and never text, in one pass per name. */
function withoutUnread(html: string): string {
  return unread.reduce((rest, name) => {
    const starts = new RegExp(`<${name}[\\s>]`, 'gi')
    const ends = new RegExp(`</${name}\\s*>`, 'gi')
    let kept = ''
    let from = 0
    for (let start = starts.exec(rest); start !== null; start = starts.exec(rest)) {
      ends.lastIndex = start.index
      if (ends.exec(rest) === null) break
      kept += rest.slice(from, start.index)
      from = ends.lastIndex
      starts.lastIndex = from
    }
    return kept + rest.slice(from)
  }, html)
}

function bareText(markup: string): string {
  const lines = markup.replace(/<[^<>]*>/g, ' ').split('\n')
  return lines.map(oneLine).filter(Boolean).join('\n')
}

/** Whether a page hides an element from its readers. The model must not see it either. */
function isHidden(node: Markup): boolean {
  return node.getAttribute('hidden') !== null || /display:\s*none/i.test(node.getAttribute('style') ?? '')
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** The absolute form of a link. `undefined` if it only works inside the page or cannot be followed. */
function absolute(reference: string | null, base: string): string | undefined {
  if (reference === null || reference.startsWith('#') || !URL.canParse(reference, base)) return undefined
  const { protocol, href } = new URL(reference, base)
  return ['http:', 'https:', 'mailto:'].includes(protocol) ? href : undefined
}

function fenced(node: Markup): string {
  const text = (node.textContent ?? '').replace(/^\n|\n$/g, '')
  const names = `${node.className} ${node.querySelector('code')?.className ?? ''}`
  const [, language = ''] = /\b(?:language|lang|highlight-source)-([\w+-]+)/.exec(names) ?? []
  const longest = Array.from(text.matchAll(/`+/g), ([run]) => run.length).reduce((a, b) => Math.max(a, b), 2)
  const fence = '`'.repeat(longest + 1)
  return `\n\n${fence}${language}\n${text}\n${fence}\n\n`
}

/** Whether a row is the first of its table. */
function isHead({ previousElementSibling, parentNode }: Markup): boolean {
  if (previousElementSibling !== null) return false
  const before = parentNode?.previousElementSibling?.nodeName
  return before !== 'THEAD' && before !== 'TBODY'
}

function underline(row: Markup): string {
  const cells = Array.from(row.childNodes).filter(({ nodeName }) => nodeName === 'TH' || nodeName === 'TD')
  return `\n|${' --- |'.repeat(cells.length)}`
}
