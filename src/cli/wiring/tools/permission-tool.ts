import { isDeepStrictEqual } from 'node:util'
import { oneLine } from '../../../characters/one-line.ts'
import { isSurvivable, PipeError } from '../../../error.ts'
import { ownInput, peerCall } from '../../../hooks/peer-call.ts'
import { isJsonObject, type JsonObject, parseJson, textField } from '../../../json-value.ts'
import type { PooledTool, ServerPool } from '../../../mcp/server-pool.ts'
import type { Deputy } from '../../../permission/guard.ts'
import { visibleLine } from '../../../terminal/visible.ts'
import type { Machine } from '../../machine.ts'

const flag = '--permission-prompt-tool'

/**
 * Opens the tool of a server that answers for the user. It is told a call as hooks are, and answers `{"behavior": "allow", "updatedInput"}`
 * or `{"behavior": "deny", "message"}`. Any other answer denies. Throws `config` if no server of that name is open.
 */
export function openPermissionTool(
  name: string,
  pool: ServerPool | undefined,
  places: Pick<Machine, 'cwd' | 'home'>,
): Deputy {
  const words = [...(pool?.servers.keys() ?? [])]
  const word = words.find((one) => name.startsWith(`mcp__${one}__`))
  if (pool === undefined || word === undefined) throw noServer(name, words)
  return async ({ tool, arguments: args }, { callId, signal }) => {
    const approver = await findApprover(name, word, { pool, signal })
    const { name: tool_name, input } = peerCall(tool, args, places)
    const asked = { tool_name, input, tool_use_id: callId }
    const answer = await ask(approver, asked, signal)
    if (answer?.['behavior'] === 'allow') {
      const updated = answer['updatedInput']
      const isSame = updated === undefined || isDeepStrictEqual(updated, input)
      const changed = isSame ? {} : { arguments: ownInput(tool, updated) }
      return { behavior: 'allow', by: name, reason: `${name} allows it`, ...changed }
    }
    const message = textField(answer, 'message') ?? ''
    if (answer?.['behavior'] === 'deny')
      return { behavior: 'deny', by: name, reason: oneLine(message, 2_000) || `${name} denies it` }
    return { behavior: 'deny', by: name, reason: `${name} gave no valid answer` }
  }
}

function noServer(name: string, words: readonly string[]): PipeError {
  const known = words.length === 0 ? 'this run has no MCP servers' : `the servers are ${words.join(', ')}`
  return new PipeError(
    'config',
    visibleLine(`${flag} ${name}: there is no such MCP server; ${known}. --mcp-config FILE adds some`),
  )
}

/** Finds the tool. Without it the run ends: nobody could be asked. */
async function findApprover(
  name: string,
  word: string,
  { pool, signal }: { readonly pool: ServerPool; readonly signal: AbortSignal },
): Promise<PooledTool> {
  const { tools, failures } = await pool.tools([word], signal)
  const found = tools.find((one) => one.name === name)
  if (found !== undefined) return found
  const [failure] = failures
  const names = tools.map((one) => one.name).join(', ')
  throw new PipeError(
    'config',
    visibleLine(`${flag} ${name}: ${failure ?? `the server has no such tool, only ${names}`}`),
  )
}

/** Calls the tool. Returns its answer; `undefined` if that is no object. Throws `config` if the server fails, and `aborted`. */
async function ask(
  { tool, server, name }: PooledTool,
  asked: JsonObject,
  signal: AbortSignal,
): Promise<JsonObject | undefined> {
  const decline = async () => ({ action: 'decline' as const })
  try {
    const result = await server.call(tool, asked, { signal, onProgress: () => undefined, onAsk: decline })
    return readAnswer(result)
  } catch (error) {
    if (!isSurvivable(error)) throw error
    throw new PipeError('config', visibleLine(`${flag} ${name}: ${error.message}`), { cause: error })
  }
}

function readAnswer(result: unknown): JsonObject | undefined {
  if (!isJsonObject(result) || result['isError'] === true) return undefined
  const { content, structuredContent: structured } = result
  const texts = Array.isArray(content) ? content.map((block) => textField(block, 'text') ?? '') : []
  const answer = parseJson(texts.join('')) ?? structured
  return isJsonObject(answer) ? answer : undefined
}
