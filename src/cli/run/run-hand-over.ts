import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { repairHistory } from '../../agent/turn/repair.ts'
import { findDirectories } from '../../config/directories.ts'
import type { Limits } from '../../engine.ts'
import { isPipeError, PipeError } from '../../error.ts'
import { crypto } from '../../files/lazy-crypto.ts'
import { makePrivateFolder } from '../../files/private-folder.ts'
import { systemCode } from '../../files/system-error.ts'
import { type HandedOver, readHandOver } from '../../json/documents/hand-over.ts'
import { isJsonObject, type JsonObject } from '../../json-value.ts'
import type { ResultSpending } from '../../line/run-result.ts'
import type { Message } from '../../message.ts'
import { roundUsd } from '../../model.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { totalTokens } from '../../usage.ts'
import { canonicalJson } from '../../wire/canonical-json.ts'
import { handOverMark, handOverVersion } from '../../wire/hand-over-mark.ts'
import { encodeMessage, encodeUsage } from '../../wire/message-json.ts'
import type { Machine } from '../machine.ts'
import { version } from '../version.ts'
import type { GivenPrompt } from './message/first-message.ts'

/** The largest envelope, written or read. */
const mostBytes = 64 * 1024 * 1024

export interface HandOverParts {
  readonly machine: Machine
  readonly messages: readonly Message[]
  readonly spent: ResultSpending
  readonly limits: Limits
}

/** Makes the envelope of a run from its result, signed with the user's key. Throws `input` for one that is too large. */
export function writeHandOver(result: JsonObject, parts: HandOverParts): string {
  const { machine, messages, spent, limits } = parts
  const model = String(result['model'] ?? '')
  const slash = model.indexOf('/')
  const { error } = result
  const envelope = {
    [handOverMark]: handOverVersion,
    answer: String(result['result'] ?? ''),
    provenance: {
      pipe: version,
      provider: model.slice(0, Math.max(slash, 0)),
      model: model.slice(slash + 1),
      ...omitUndefined({ session_id: result['session_id'] }),
      created_at: new Date(machine.clock.now()).toISOString(),
    },
    usage: encodeUsage(spent.usage),
    ...omitUndefined({ cost_usd: spent.costUsd }),
    budget: budgetLeft(spent, limits),
    ...(isJsonObject(error) && {
      error: {
        exit_code: Number(result['exit_code']),
        code: String(error['code']),
        message: String(error['message']),
      },
    }),
    conversation: repairHistory(messages).map(encodeMessage),
  }
  const plain: unknown = JSON.parse(JSON.stringify(envelope))
  if (!isJsonObject(plain)) throw new PipeError('internal', 'an envelope is an object')
  const signature = signatureOf(plain, keyOf(machine, true))
  const text = JSON.stringify({ ...plain, ...omitUndefined({ signature }) })
  if (Buffer.byteLength(text) <= mostBytes) return text
  throw new PipeError(
    'input',
    `the conversation is larger than ${mostBytes / 1024 ** 2} MiB, the limit of -o pipe; continue its session with -r`,
  )
}

function budgetLeft({ usage, costUsd = 0 }: ResultSpending, { maxTokens, maxCostUsd }: Limits) {
  const tokens = totalTokens(usage)
  return omitUndefined({
    tokens_left: maxTokens && Math.max(0, maxTokens - tokens),
    usd_left: maxCostUsd && Math.max(0, roundUsd(maxCostUsd - costUsd)),
  })
}

/** Reads the envelope that stdin holds. Throws `input`, `budget`. */
export async function takeHandOver(given: GivenPrompt): Promise<HandedOver> {
  const { host, flags, prompt } = given
  const isAsked = flags.text('stdin') === 'envelope'
  if (prompt === undefined)
    throw new PipeError(
      'input',
      'stdin holds a conversation: say what to do with it, as in … | pipe "criticise it"',
    )
  const key = keyOf(host, false)
  const handed = readHandOver(await readAll(), {
    isSigned: ({ signature, ...plain }) => signature !== undefined && signature === signatureOf(plain, key),
    takesAny: isAsked,
    newId: () => host.newId.message(),
  })
  const { tokens_left, usd_left } = handed.budget
  if (tokens_left === 0 || usd_left === 0)
    throw new PipeError('budget', 'the pipes before this one have spent the budget')
  return handed
}

/** Returns the stricter of a run's own limits and what it inherited. */
export function stricterLimits(own: Limits, { tokens_left, usd_left }: HandedOver['budget']): Limits {
  const least = (a = Number.POSITIVE_INFINITY, b = Number.POSITIVE_INFINITY) =>
    Number.isFinite(Math.min(a, b)) ? Math.min(a, b) : undefined
  return {
    ...own,
    ...omitUndefined({
      maxTokens: least(own.maxTokens, tokens_left),
      maxCostUsd: least(own.maxCostUsd, usd_left),
    }),
  }
}

async function readAll(): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of process.stdin) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > mostBytes)
      throw new PipeError(
        'input',
        `the envelope on stdin is larger than ${mostBytes / 1024 ** 2} MiB; to treat stdin as data, add --stdin data`,
      )
    chunks.push(bytes)
  }
  return Buffer.concat(chunks).toString()
}

function signatureOf(plain: JsonObject, key: Uint8Array | undefined): string | undefined {
  return key && crypto().createHmac('sha256', key).update(canonicalJson(plain)).digest('hex')
}

/** The key that tells envelopes of this user from data that others wrote. `undefined` if there is none, or none can be kept. */
function keyOf({ env, home }: Pick<Machine, 'env' | 'home'>, makes: boolean): Uint8Array | undefined {
  const folder = dirname(findDirectories(env, home).sessions)
  const path = join(folder, 'envelope.key')
  try {
    if (makes && !existsSync(path)) {
      makePrivateFolder(folder)
      writeFileSync(path, crypto().randomBytes(32), { flag: 'wx', mode: 0o600 })
    }
  } catch (error) {
    // Another pipe was faster, or nothing can be written here: its envelopes then need --stdin envelope.
    if (!isPipeError(error) && systemCode(error) === undefined) throw error
  }
  try {
    const key = readFileSync(path)
    return key.length === 32 ? key : undefined
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return undefined
  }
}
