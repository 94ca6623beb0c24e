import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { lastBlock, readAnswerJson } from '../../../answers/answer-json.ts'
import { SchemaDemand } from '../../../answers/schema-demand.ts'
import { shortSchema } from '../../../answers/short-schema.ts'
import { readYesNo, yesNoSchema } from '../../../answers/yes-no.ts'
import { errorText, PipeError } from '../../../error.ts'
import { fileError, systemCode } from '../../../files/system-error.ts'
import { isJsonObject, type JsonObject } from '../../../json-value.ts'
import type { AnswerForm } from '../../../line/answer/answer-form.ts'
import type { AnswerDemand } from '../../../turn-hooks.ts'
import { usageError } from '../../flags.ts'
import type { RunContext } from '../../run-context.ts'

/** Holds what flags ask of the answer of a run. */
export interface AskedAnswer {
  /** Returns the demands of one conversation. */
  demands(): readonly AnswerDemand[]
  /** Tells the model what is demanded, beside the prompt. */
  readonly instruction?: string
  readonly form: AnswerForm
}

/** Reads what flags ask of the answer. Throws `usage`, and `input` for a schema that cannot be read. */
export function readAskedAnswer({ flags, host }: Pick<RunContext, 'flags' | 'host'>): AskedAnswer {
  const [first, other] = (['json-schema', 'yes-no', 'extract'] as const).filter((name) => flags.has(name))
  if (other !== undefined) throw usageError(`--${other} cannot be combined with --${first}`)
  const given = flags.text('json-schema')
  if (given !== undefined) return inSchema(readSchema(given, host.cwd), jsonForm)
  return flags.has('yes-no')
    ? inSchema(yesNoSchema, yesNoForm)
    : { demands: () => [], form: extracted(flags.text('extract') ?? '') }
}

function inSchema(schema: JsonObject, form: AnswerForm): AskedAnswer {
  const demand = new SchemaDemand(schema)
  return { demands: () => [demand.anew()], instruction: demand.instruction, form }
}

const yesNoForm: AnswerForm = {
  pick: (answer) => {
    const verdict = readYesNo(answer)
    return verdict && { text: verdict.reason, value: verdict.value, isNo: !verdict.isYes }
  },
  lack: 'the answer is neither yes nor no',
}

const jsonForm: AnswerForm = {
  pick: (answer) => {
    const json = readAnswerJson(answer)
    return typeof json === 'string' ? undefined : json
  },
  lack: 'the answer is not JSON',
}

function extracted(language: string): AnswerForm {
  return {
    pick: (answer) => lastBlock(answer, language === '' ? undefined : language),
    lack:
      language === ''
        ? 'the answer has no fenced block'
        : `the answer has no fenced block in ${JSON.stringify(language)}`,
  }
}

/** Reads a schema: JSON, a file of JSON, or one in short. */
function readSchema(given: string, cwd: string): JsonObject {
  const text = given.trim()
  if (text.startsWith('{')) return parseSchema(text, 'the schema')
  const content = readIfThere(resolve(cwd, given))
  if (content !== undefined) return parseSchema(content, given)
  if (/[/\\]|\.json[c5]?$/i.test(text))
    throw new PipeError('input', `there is no file ${JSON.stringify(given)} with a schema`)
  return shortSchema(given)
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ENAMETOOLONG', 'ENOTDIR'].includes(systemCode(error) ?? '')) return undefined
    throw new PipeError('input', fileError(error, path, 'read').message, { cause: error })
  }
}

function parseSchema(text: string, name: string): JsonObject {
  try {
    const schema: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    if (isJsonObject(schema)) return schema
  } catch (error) {
    throw new PipeError('input', `${name} is not JSON: ${errorText(error)}`, {
      cause: error,
    })
  }
  throw new PipeError('input', `${name} is not a schema: a schema is a JSON object`)
}
