import { sha256 } from '../../files/lazy-crypto.ts'
import { isJsonObject, type JsonObject, parseJson } from '../../json-value.ts'

/** The log version that this program writes, stated in the first line. */
export const auditVersion = 1

/** The position of a line in its log. */
export interface Seal {
  /** Line number, from 1. */
  readonly seq: number
  /** SHA-256 of the line with `}` in place of its `hash` field. */
  readonly hash: string
}

/** The seal before the first line. */
export const unsealed: Seal = { seq: 0, hash: '' }

const start = ',"hash":"'
const end = '"}'
const sealLength = start.length + 64 + end.length

/** Builds the next line without its newline: its number, the previous hash, the fields and its own hash. */
export function sealLine(before: Seal, fields: JsonObject): { readonly line: string; readonly seal: Seal } {
  const seq = before.seq + 1
  const body = JSON.stringify({ seq, prev: before.hash, ...fields })
  const hash = sha256(body)
  return { line: `${body.slice(0, -1)}${start}${hash}${end}`, seal: { seq, hash } }
}

/** A line's fields and its seal. */
export interface Opened {
  readonly fields: JsonObject
  readonly seal: Seal
}

/** Reads a line. Returns `undefined` if its hash does not match its bytes. */
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
