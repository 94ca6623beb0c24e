import type { ReactElement, ReactNode } from 'react'
import { tableText } from '../../../frontend/words/text-table.ts'
import { isJsonObject, type JsonValue, textField } from '../../../json-value.ts'
import { CodeParts, useColours } from '../transcript/code-parts.tsx'
import { Diff } from '../transcript/diff.tsx'
import { markedRanges, type Question } from '../wire/page-question.ts'

/** Draws all that a question is about: a diff, a table, or a value. Nothing is cut, and every line wraps. */
export function QuestionContent({ question }: { readonly question: Question }): ReactNode {
  const { content, contentKind } = question
  if (content === undefined) return null
  const command = textField(content, 'command')
  if (command !== undefined && isJsonObject(content)) {
    const { command: _, ...others } = content
    return (
      <>
        <Command command={command} dangers={question.dangers} />
        {Object.keys(others).length === 0 ? null : <Value value={others} />}
      </>
    )
  }
  if (contentKind === 'diff' && typeof content === 'string') return <Diff diff={content} isWhole />
  return <Value value={contentKind === 'table' ? tableText(content) : content} />
}

/** Draws a command in its colours, with its dangerous parts marked. */
function Command({
  command,
  dangers,
}: { readonly command: string } & Pick<Question, 'dangers'>): ReactElement {
  const lines = useColours(command, (colouring) => colouring.lines(command, 'bash'), true)
  const parts = lines?.flatMap((line, i) => [...(i === 0 ? [] : [{ text: '\n' }]), ...line.parts])
  return (
    <pre className="command">
      <CodeParts parts={parts ?? [{ text: command }]} marks={markedRanges(dangers)} />
    </pre>
  )
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
