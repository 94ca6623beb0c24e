import { PipeError } from '../error.ts'
import type { JsonObject } from '../json-value.ts'
import type { ReplyFormat } from '../provider.ts'
import type { AnswerDemand } from '../turn-hooks.ts'
import { readAnswerJson } from './answer-json.ts'
import { SchemaCheck } from './schema-check.ts'

/** Objections to one answer. After them the turn fails. */
const mostTries = 2

/** Demands JSON of a schema. */
export class SchemaDemand implements AnswerDemand {
  readonly format: ReplyFormat
  /** Tells the model what is demanded, beside the task. */
  readonly instruction: string
  readonly #schema: JsonObject
  readonly #check: SchemaCheck
  #objections = 0

  /** `check`: one of this schema, which costs more to make than to use. Throws `input` if the schema is not valid. */
  constructor(schema: JsonObject, check: SchemaCheck = new SchemaCheck(schema)) {
    this.#schema = schema
    this.#check = check
    this.format = { type: 'schema', name: 'answer', schema }
    this.instruction = `End with JSON alone, without a fence or other words, that fits this schema:\n${JSON.stringify(schema)}`
  }

  /** Returns the same demand for another conversation. */
  anew(): SchemaDemand {
    return new SchemaDemand(this.#schema, this.#check)
  }

  /** Lets the next turn have all tries, however the last one ended. */
  begin(): void {
    this.#objections = 0
  }

  async judge(said: string): Promise<string | undefined> {
    const json = readAnswerJson(said)
    const faults = typeof json === 'string' ? [`it is not JSON: ${json}`] : this.#check.faults(json.value)
    const [first] = faults
    if (first === undefined) {
      this.#objections = 0
      return undefined
    }
    if (this.#objections === mostTries)
      throw new PipeError(
        'schema',
        `the answer does not fit the schema, even when asked ${mostTries + 1} times: ${first}`,
        {
          details: { reason: faults.join('; ') },
        },
      )
    this.#objections++
    return `The answer does not fit the schema:\n${faults.map((fault) => `- ${fault}`).join('\n')}\nAnswer with the JSON alone.`
  }
}
