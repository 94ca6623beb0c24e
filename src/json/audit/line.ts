import { sha256 } from '../../files/lazy-crypto.ts'
import { isJsonObject, type JsonObject, parseJson } from '../../json-value.ts'

/** The version of the log that this program writes, said in its first line. */
export const auditVersion = 1

/** Where a line stands in its log. */
export interface Seal {
  /** Counted from 1, the number of the line. */
  readonly seq: number
  /** SHA-256 of the line's bytes up to its `hash` field, `}` instead of it. */
  readonly hash: string
}

/** What stands before the first line. */
export const unsealed: Seal = { seq: 0, hash: '' }

const start = ',"hash":"'
const end = '"}'
const sealLength = start.length + 64 + end.length

/** The line after another, without its newline: its number and the hash before it, the fields, its own hash. */
export function sealLine(before: Seal, fields: JsonObject): { readonly line: string; readonly seal: Seal } {
  const seq = before.seq + 1
  const body = JSON.stringify({ seq, prev: before.hash, ...fields })
  const hash = sha256(body)
  return { line: `${body.slice(0, -1)}${start}${hash}${end}`, seal: { seq, hash } }
}

/** What a line says, and where it says it. */
export interface Opened {
  readonly fields: JsonObject
  readonly seal: Seal
}

/** A line whose hash fits its bytes; `undefined` for any other. */
export function openLine(bytes: Buffer): Opened | undefined {
  const at = bytes.length - sealLength
  if (at < 1) return undefined
  const tail = bytes.toString('latin1', at)
  const hash = tail.slice(start.length, -end.length)
  const body = Buffer.concat([bytes.subarray(0, at), Buffer.from('}')])
  if (tail !== start + hash + end || sha256(body) !== hash) return undefined
  const fields = parseJson(body.toString('utf8'))
  if (!isJsonObject(fields) || typeof fields['seq'] !== 'number') return undefined
  return { fields, seal: { seq: fields['seq'], hash } }
}
