import type { JsonObject } from '../../json-value.ts'
import type { Damage } from '../../session.ts'
import {
  blockSchema,
  type DiskEnvelope,
  type DiskMessage,
  envelopeSchema,
  messageSchema,
} from '../documents/schema.ts'
import type { ScannedRow } from './scan.ts'

/** Returns the valid fields and reports the others. */
export function salvageEnvelope(fields: JsonObject, damage: Damage[]): DiskEnvelope {
  const parsed = envelopeSchema.safeParse(fields)
  if (parsed.success) return parsed.data
  const wrong = new Set(parsed.error.issues.map((issue) => String(issue.path[0])))
  damage.push(...Array.from(wrong, (name) => ({ line: 1, reason: `the session's ${name} cannot be read` })))
  const rest = Object.entries(fields).filter(([name]) => !wrong.has(name))
  return envelopeSchema.parse(Object.fromEntries(rest))
}

/** Returns the message without its invalid blocks; `undefined` if nothing valid is left. */
export function salvageMessage(row: ScannedRow, damage: Damage[]): DiskMessage | undefined {
  const parsed = messageSchema.safeParse(row.value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  damage.push({ line: row.line, reason: `message ${row.position + 1}: ${describe(issue)}` })
  const content = row.value['content']
  if (!Array.isArray(content)) return undefined
  const good = content.filter((block) => blockSchema.safeParse(block).success)
  const rest = messageSchema.safeParse({ ...row.value, content: good })
  return rest.success && good.length > 0 ? rest.data : undefined
}

function describe(
  issue: { readonly path: readonly PropertyKey[]; readonly message: string } | undefined,
): string {
  const field = issue?.path.join('.') ?? ''
  return field.endsWith('type')
    ? `its ${field} is unknown to this version of pipe`
    : `${field}: ${issue?.message}`
}
