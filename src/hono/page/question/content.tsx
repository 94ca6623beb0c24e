import type { ReactElement, ReactNode } from 'react'
import { isJsonObject, type JsonValue } from '../../../json-value.ts'
import { tableText } from '../../../text/table.ts'
import { Diff } from '../transcript/diff.tsx'
import type { Question } from '../wire/interaction.ts'

/** Draws all that a question is about: a diff, a table, or a value. Nothing is cut, and every line wraps. */
export function QuestionContent({
  question: { content, contentKind },
}: {
  readonly question: Question
}): ReactNode {
  if (content === undefined) return null
  if (contentKind === 'diff' && typeof content === 'string') return <Diff diff={content} isWhole />
  return <Value value={contentKind === 'table' ? tableText(content) : content} />
}

function Value({ value }: { readonly value: JsonValue }): ReactElement {
  if (typeof value === 'string') return <pre>{value}</pre>
  if (Array.isArray(value))
    return (
      <Fields fields={value.map((one: JsonValue, i): readonly [string, JsonValue] => [String(i + 1), one])} />
    )
  if (isJsonObject(value)) return <Fields fields={Object.entries(value)} />
  return <pre>{JSON.stringify(value)}</pre>
}

function Fields({ fields }: { readonly fields: readonly (readonly [string, JsonValue])[] }): ReactElement {
  return (
    <dl className="fields">
      {fields.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Value value={value} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
