import { Fragment, memo, type ReactElement, type ReactNode } from 'react'
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
} from '../../../frontend/markdown-tokens.ts'
import { CodeBlock } from './code-block.tsx'

/** Draws Markdown as elements of our own: markup in the text is shown, never passed on, and nothing is loaded. */
export const Prose = memo(function Prose({ text }: { readonly text: string }): ReactElement {
  const tokens = markdownTokens(text)
  return (
    <div className="prose">{tokens === undefined ? <p className="plain">{text}</p> : blocks(tokens)}</div>
  )
})

function blocks(tokens: readonly Token[]): ReactNode {
  return keyed(tokens, block)
}

function inlines(tokens: readonly Token[]): ReactNode {
  return keyed(tokens, inline)
}

/** Draws tokens, which have no identity but their place. */
function keyed(tokens: readonly Token[], draw: (token: Token) => ReactNode): ReactNode {
  const places = tokens.map((token, place) => ({ token, key: String(place) }))
  return places.map(({ token, key }) => <Fragment key={key}>{draw(token)}</Fragment>)
}

function block(token: Token): ReactNode {
  switch (token.type) {
    case 'space':
    case 'def':
    case 'checkbox':
      return null
    case 'heading':
      return heading(Number('depth' in token ? token.depth : 1), inlines(childrenOf(token)))
    case 'paragraph':
      return <p>{inlines(childrenOf(token))}</p>
    case 'text':
      return inline(token)
    case 'code':
      return <CodeBlock code={String(token['text'])} language={fencedLanguage(token)} />
    case 'hr':
      return <hr />
    case 'blockquote':
      return <blockquote>{blocks(childrenOf(token))}</blockquote>
    case 'list':
      return drawList(token)
    case 'table':
      return drawTable(token)
    default:
      return <p className="plain">{token.raw.trimEnd()}</p>
  }
}

/** Headings of a reply stand below those of the page. */
function heading(depth: number, children: ReactNode): ReactNode {
  if (depth <= 1) return <h3>{children}</h3>
  return depth === 2 ? <h4>{children}</h4> : <h5>{children}</h5>
}

function drawList(token: Token): ReactNode {
  if (!isList(token)) return null
  const items = token.items.map((item, place) => ({ item, key: String(place) }))
  const rows = items.map(({ item: { task, checked, tokens }, key }) => (
    <li key={key} className={task ? 'task' : undefined}>
      {task ? (checked === true ? '☑ ' : '☐ ') : null}
      {blocks(tokens)}
    </li>
  ))
  return token.ordered ? <ol start={Number(token.start) || 1}>{rows}</ol> : <ul>{rows}</ul>
}

function drawTable(token: Token): ReactNode {
  if (!isTable(token)) return null
  const keyedCells = (cells: typeof token.header) =>
    cells.map(({ tokens, align }, place) => ({ key: String(place), tokens, side: align ?? undefined }))
  const rows = token.rows.map((cells, place) => ({ key: String(place), cells: keyedCells(cells) }))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className="wide" tabIndex={0} aria-label="Table">
      <table>
        <thead>
          <tr>
            {keyedCells(token.header).map(({ key, tokens, side }) => (
              <th key={key} className={side}>
                {inlines(tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key}>
              {cells.map((cell) => (
                <td key={cell.key} className={cell.side}>
                  {inlines(cell.tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function inline(token: Token): ReactNode {
  switch (token.type) {
    case 'strong':
      return <strong>{inlines(childrenOf(token))}</strong>
    case 'em':
      return <em>{inlines(childrenOf(token))}</em>
    case 'del':
      return <del>{inlines(childrenOf(token))}</del>
    case 'codespan':
      return <code>{String(token['text'])}</code>
    case 'link':
      return <Link target={targetOf(token)}>{inlines(childrenOf(token))}</Link>
    case 'image':
      // An image from elsewhere would tell its server who reads the page.
      return (
        <Link target={targetOf(token)}>
          [image: {withoutReferences(String(token['text'])) || targetOf(token)}]
        </Link>
      )
    case 'br':
      return <br />
    case 'text': {
      const inner = childrenOf(token)
      return inner.length > 0 ? inlines(inner) : withoutReferences(token.raw)
    }
    case 'escape':
      return String(token['text'])
    default:
      return token.raw
  }
}

/** Links a page or a mailbox and names its host, whatever the text says. Shows any other target behind the text instead. */
function Link({ target, children }: { readonly target: string; readonly children: ReactNode }): ReactElement {
  const host = isSafeLink(target) ? hostOf(target) : undefined
  if (host === undefined)
    return (
      <>
        {children}
        {target === '' ? null : <span className="target"> ({target})</span>}
      </>
    )
  return (
    <a href={target} target="_blank" rel="noopener noreferrer">
      {children}
      <span className="host"> {host}</span>
    </a>
  )
}

/** Returns where a link leads, as the browser understands it. */
function hostOf(target: string): string | undefined {
  if (!URL.canParse(target)) return undefined
  const { host, pathname, protocol } = new URL(target)
  return protocol === 'mailto:' ? pathname : host
}
