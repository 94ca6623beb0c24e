import type { ModelFacts } from '../../catalog/model-row.ts'
import { tableText } from '../../frontend/words/text-table.ts'
import type { Price } from '../../model.ts'
import { printable } from '../../terminal/printable.ts'
import type { ListedModel } from '../wiring/model/listed-models.ts'

const heading = ['MODEL', 'WINDOW', 'OUTPUT', '$ IN/OUT PER 1M', 'CAN', 'NOW']

/** Formats models as a table, one per line, under a heading. */
export function modelTable(models: readonly ListedModel[]): string {
  return `${tableText([heading, ...models.map(cells)])}\n`
}

function cells({ name, facts, missing = 'ready' }: ListedModel): readonly string[] {
  const { contextWindow, maxOutput, price } = facts
  const texts = [
    name,
    formatTokens(contextWindow),
    formatTokens(maxOutput),
    formatPrice(price),
    abilities(facts),
    missing,
  ]
  return texts.map((text) => printable(text).replace(/\s+/g, ' '))
}

const unknown = '-'

/** `8k`, `200k`, `1.05M`. */
function formatTokens(tokens: number | undefined): string {
  if (tokens === undefined) return unknown
  return tokens < 999_500 ? `${Math.round(tokens / 1000)}k` : `${Number((tokens / 1e6).toFixed(2))}M`
}

function formatPrice(price: Price | undefined): string {
  return price === undefined ? unknown : `${price.input}/${price.output}`
}

function abilities({ images, documents, tools, thinking }: ModelFacts): string {
  const has = {
    images,
    pdf: documents,
    thinks: thinking === undefined ? undefined : thinking.type !== 'none',
    tools,
  }
  const words = Object.entries(has).flatMap(([word, can]) => (can === true ? [word] : []))
  return words.length === 0 ? unknown : words.join(' ')
}
