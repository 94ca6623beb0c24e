import type { SessionId } from '../../id.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../json-value.ts'
import type { SearchableBlock, SearchableMessage, SearchableSession } from '../../memory/recall.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { decodeMessageId } from '../documents/decode.ts'
import { readDocument } from './document.ts'
import { migrations } from './migrate.ts'
import type { ScannedRow } from './scan.ts'

/**
 * Reads what a search needs of a session file, without the schema: that takes longer than all else. Leaves out what it cannot read, and all messages of an elf.
 * Throws `not_found`, `permission`, `aborted`, and `input` if the file is no session.
 */
export async function readSearchable(
  { id, path }: { readonly id: SessionId; readonly path: string },
  signal: AbortSignal,
): Promise<SearchableSession> {
  const { fields, rows, modified } = await readDocument(path, { signal, migrations })
  const seen = new Date(modified).toISOString()
  return {
    createdAt: asText(fields['created_at']) ?? seen,
    updatedAt: asText(fields['updated_at']) ?? seen,
    ...omitUndefined({
      cwd: asText(fields['moved_to']) ?? asText(fields['cwd']),
      title: asText(fields['title']),
    }),
    messages: isElfs(fields) ? [] : rows.flatMap((row) => readMessage(row, id)),
  }
}

/** Whether the session is an elf's. Its result is in its parent's, which a search finds instead. */
function isElfs(fields: JsonObject): boolean {
  return typeof fields['parent_session_id'] === 'string'
}

function readMessage({ value, position }: ScannedRow, session: SessionId): readonly SearchableMessage[] {
  const { type, timestamp, content, metadata } = value
  if (type !== 'user' && type !== 'assistant' && type !== 'tool_result') return []
  if (typeof timestamp !== 'string' || !Array.isArray(content)) return []
  return [
    {
      id: decodeMessageId(session, asText(value['id']) ?? String(position)),
      type,
      timestamp,
      content: content.filter(isJsonObject).map(readBlock),
      ...(isJsonObject(metadata) ? { metadata: readTexts(metadata) } : {}),
    },
  ]
}

function readBlock(block: JsonObject): SearchableBlock {
  return {
    type: asText(block['type']) ?? '',
    ...omitUndefined({
      text: asText(block['text']),
      name: asText(block['name']),
      arguments: block['arguments'],
    }),
  }
}

function readTexts(value: JsonObject): Readonly<Record<string, string>> {
  const texts = Object.entries(value).flatMap(([key, entry]) =>
    typeof entry === 'string' ? [[key, entry] as const] : [],
  )
  return Object.fromEntries(texts)
}

function asText(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}
