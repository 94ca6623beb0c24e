import { isJsonObject, type JsonObject } from '../json-value.ts'
import { readAnswerJson } from './answer-json.ts'

/** The schema of a verdict. */
export const yesNoSchema: JsonObject = {
  type: 'object',
  properties: {
    answer: { type: 'boolean' },
    reason: { type: 'string', description: 'in one or two sentences' },
  },
  required: ['answer', 'reason'],
  additionalProperties: false,
}

export interface YesNo {
  readonly isYes: boolean
  readonly reason: string
  readonly value: JsonObject
}

/** Reads a verdict; `undefined` if an answer is none. */
export function readYesNo(answer: string): YesNo | undefined {
  const json = readAnswerJson(answer)
  if (typeof json === 'string' || !isJsonObject(json.value)) return undefined
  const { answer: isYes, reason } = json.value
  if (typeof isYes !== 'boolean' || typeof reason !== 'string') return undefined
  return { isYes, reason, value: json.value }
}
