import { dangerTexts, type Interaction } from '../interaction.ts'
import { isJsonObject, type JsonValue } from '../json-value.ts'
import { tableText } from './words/text-table.ts'

/**
 * Words what a question asks about, uncut, without its options. Indents values so that none can pass for a line of ours. The text is not
 * safe to show.
 */
export function questionText({ display }: Interaction): string {
  const { title, description } = display
  const dangers = dangerTexts(display).join('; ')
  const lines = [title, description, contentText(display), dangers === '' ? undefined : `Danger: ${dangers}`]
  return lines.filter((line) => line !== undefined).join('\n')
}

function contentText({ content, contentKind }: Interaction['display']): string | undefined {
  if (content === undefined) return undefined
  if (contentKind === 'table') return indented(tableText(content))
  if (!isJsonObject(content)) return indented(valueText(content))
  return Object.entries(content)
    .map(([name, value]) => `  ${`${name}: ${valueText(value)}`.replaceAll('\n', '\n    ')}`)
    .join('\n')
}

function valueText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function indented(text: string): string {
  return text.replace(/^/gm, '    ')
}
