import type { ElicitResult } from '@modelcontextprotocol/client'
import { oneLine } from '../characters/one-line.ts'
import { errorText, throwIfAborted } from '../error.ts'
import type { NewId } from '../id.ts'
import { isJsonObject, type JsonObject, type JsonValue, textField } from '../json-value.ts'
import {
  errorResult,
  type Tool,
  type ToolContext,
  type ToolExecutor,
  type ToolRun,
  textResult,
} from '../tool.ts'
import { CallNews } from './call-news.ts'
import { readElicitation } from './elicitation.ts'
import findDescription from './find-tools.md'
import { findToolsFacts } from './find-tools-facts.ts'
import { hashOf, type ServerTool } from './lists/seen-tools.ts'
import { readResult, type SpillText } from './material/call-result.ts'
import { readResources, resourceTool } from './material/resource-tool.ts'
import { ServerAdvice } from './material/server-advice.ts'
import { type FindableTool, rankTools } from './rank-tools.ts'
import type { PooledTool, ServerPool } from './server-pool.ts'

export interface ServerToolsOptions {
  readonly pool: ServerPool
  readonly spill: SpillText
  readonly newId: Pick<NewId, 'interaction'>
  /** Whether the conversation may know of the server with this word. Default: of all. */
  readonly offers?: (word: string) => boolean
  /** Tools of pipe that are found as those of servers are. Default: none. */
  readonly deferred?: DeferredTools | undefined
}

/** Tools that stay out of prompts until a search finds them. */
export interface DeferredTools {
  /** Stands for them in a search, as the word of a server does. */
  readonly word: string
  readonly executor: ToolExecutor
}

/** Tools that one search adds, and names that a list shows. */
const most = { added: 8, listed: 200 }

/**
 * Offers the tools of servers to one conversation. At first there is one tool, which finds the others: a prompt names servers only. What
 * was found is offered from then on, under names such as `mcp__github__create_issue`.
 */
export function createServerTools({
  pool,
  spill,
  newId,
  offers = () => true,
  deferred,
}: ServerToolsOptions): ToolExecutor {
  const own = deferred?.executor.tools() ?? []
  const found = new Map<string, PooledTool>()
  const foundOwn = new Set<Tool>()
  const advice = new ServerAdvice()
  let finder: { readonly of: string; readonly tool: Tool } | undefined

  function serversNow(): readonly string[] {
    return [...pool.servers.keys()].filter(offers)
  }

  /** Describes the finder anew only when the servers change: another text costs the server's cache of the prompt. */
  function finderOf(servers: readonly string[]): Tool {
    const of = servers.join(' ')
    if (finder?.of !== of) finder = { of, tool: describeFinder(servers, pool, deferred) }
    return finder.tool
  }

  async function find(args: JsonValue, signal: AbortSignal) {
    const servers = serversNow()
    const words = wordsOf(servers, deferred)
    const server = textField(args, 'server')
    const query = textField(args, 'query') ?? ''
    if (server !== undefined && !words.includes(server))
      return errorResult(`there is no server ${oneLine(server, 64)}; the servers are: ${words.join(', ')}`)
    const { tools: pooled, failures } = await pool.tools(server === undefined ? servers : [server], signal)
    const mine = server === undefined || server === deferred?.word ? own : []
    const tools = [...pooled, ...mine.map((tool) => ({ name: tool.name, tool }))]
    const failed = failures.map((failure) => `\n${oneLine(failure, 600)}`).join('')
    if (tools.length === 0 && failures.length > 0) return errorResult(failed.trim())
    if (query.trim() === '') return textResult(`${listOf(tools)}${failed}`)
    const named = tools.filter(({ name }) => name === query)
    const best = named.length > 0 ? named : rankTools(query, tools).slice(0, most.added)
    for (const one of best) {
      if ('server' in one) found.set(one.name, one)
      else foundOwn.add(one.tool)
    }
    if (best.length === 0)
      return textResult(`no tool is about these words; there are:\n${listOf(tools)}${failed}`)
    const lines = best.map(({ name, tool }) => `${name}: ${oneLine(tool.description, 300)}`)
    const asked = new Set(best.flatMap((one) => ('server' in one ? [one.server] : [])))
    return advice.addTo(textResult(`You can call these now:\n${lines.join('\n')}${failed}`), asked)
  }

  /** Takes over what a tool says of itself now. Returns why a call that was judged before does not count; `undefined` if it does. */
  function renew(pooled: PooledTool, now: ServerTool | undefined): string | undefined {
    if (now === undefined) {
      found.delete(pooled.name)
      return `${pooled.name} is gone: its server has other tools now, which find_tools finds`
    }
    found.set(pooled.name, { ...pooled, tool: now })
    const isSame = hashOf(now) === hashOf(pooled.tool)
    return isSame
      ? undefined
      : `${pooled.name} was not called: it has just changed. Look at what it takes now, and call it again`
  }

  async function* call(pooled: PooledTool, args: JsonObject, context: ToolContext): ToolRun {
    const { tool, server } = pooled
    const { signal, approved } = context
    if (tool === resourceTool) {
      const content = await readResources(server, args, signal)
      return readResult(server.server.name, { content }, spill)
    }
    const renewed = await server.renewed(tool.name, signal)
    if (renewed !== undefined) {
      const said = renew(pooled, renewed.tool)
      if (said !== undefined) return errorResult(said)
    }
    if (tool.isChanged && approved === true) {
      await server.accept(tool.name)
      found.set(pooled.name, { ...pooled, tool: { ...tool, isChanged: false } })
    }
    const news = new CallNews()
    const onAsk = async (params: unknown): Promise<ElicitResult> => {
      let asked = readElicitation(server.server.name, params, newId)
      for (;;) {
        const outcome = asked.read(await news.ask(asked.interaction))
        if ('told' in outcome) return outcome.told
        asked = outcome.again
      }
    }
    const answer = server.call(tool, args, { signal, onProgress: news.tell, onAsk }).finally(() => news.end())
    // Its failure is heard below, once the last progress is told.
    const settled = answer.then(
      () => undefined,
      () => undefined,
    )
    for (let one = await news.next(); one !== undefined; one = await news.next()) {
      if (one.type === 'told') yield { type: 'output', stream: 'stdout', chunk: one.line }
      else one.answer(yield { type: 'interaction', interaction: one.interaction })
    }
    await settled
    return readResult(server.server.name, await answer, spill)
  }

  return {
    tools: () => {
      const servers = serversNow()
      if (servers.length === 0 && deferred === undefined) return []
      const there = new Set(pool.servers.values())
      const ofServers = [...found.values()].filter(({ server }) => there.has(server)).map(toolOf)
      return [finderOf(servers), ...foundOwn, ...ofServers]
    },
    async *execute(name, args, context) {
      throwIfAborted(context.signal)
      if (name === findToolsFacts.name) return await find(args, context.signal)
      if (deferred !== undefined && [...foundOwn].some((tool) => tool.name === name))
        return yield* deferred.executor.execute(name, args, context)
      const pooled = found.get(name)
      if (pooled === undefined || ![...pool.servers.values()].includes(pooled.server))
        return errorResult(`there is no tool ${oneLine(name, 64)}; find it by find_tools`)
      try {
        return yield* call(pooled, isJsonObject(args) ? args : {}, context)
      } catch (error) {
        throwIfAborted(context.signal)
        return errorResult(oneLine(errorText(error), 2_000))
      }
    },
  }
}

/** Lists what a search can be limited to: servers, and what stands for tools of pipe. */
function wordsOf(servers: readonly string[], deferred: DeferredTools | undefined): string[] {
  return deferred === undefined ? [...servers] : [...servers, deferred.word]
}

function describeFinder(
  servers: readonly string[],
  pool: Pick<ServerPool, 'servers'>,
  deferred: DeferredTools | undefined,
): Tool {
  const lines = servers.map((word) => lineOf(word, pool.servers.get(word)?.remembered ?? []))
  const own = deferred?.executor.tools().map(({ name }) => name) ?? []
  if (deferred !== undefined) lines.push(lineOf(deferred.word, own))
  return {
    ...findToolsFacts,
    description: `${findDescription.trim()} Servers:\n${lines.join('\n')}`,
    parameters: {
      type: 'object',
      properties: {
        query: { type: 'string' },
        server: { type: 'string', enum: wordsOf(servers, deferred) },
      },
    },
  }
}

/** Names a server and the tools that it had last: about 50 tokens at most. */
function lineOf(word: string, remembered: readonly string[]): string {
  const names = remembered.filter((name) => /^[\w-]{1,64}$/.test(name))
  const shown: string[] = []
  for (const name of names) {
    if (shown.join(', ').length + name.length > 140) break
    shown.push(name)
  }
  const more = names.length - shown.length
  const rest = more > 0 ? ` and ${more} more` : ''
  return `- ${word}${shown.length === 0 ? '' : `: ${shown.join(', ')}${rest}`}`
}

function listOf(tools: readonly FindableTool[]): string {
  const names = tools.slice(0, most.listed).map(({ name }) => name)
  const more = tools.length - names.length
  return `${names.join('\n') || '(no tools)'}${more > 0 ? `\nand ${more} more` : ''}`
}

/** States what a server's tool is. What it says of itself is a hint: each call is asked about, unless a rule allows it. */
function toolOf({ name, tool, server }: PooledTool): Tool {
  const { description, schema, saysReadOnly, isChanged } = tool
  return {
    name,
    description,
    parameters: schema,
    kind: 'other',
    capability: 'tool_run_command',
    readOnly: () => false,
    parallel: () => saysReadOnly,
    verb: 'calling',
    target: (args) => oneLine(JSON.stringify(args), 200),
    ...(isChanged && {
      consent: async (args: JsonValue) => ({
        title: `Use ${tool.name} of ${server.server.name}, which has changed?`,
        description:
          'It describes itself in other words, or takes other arguments, than when you last used it.',
        content: { 'it says now': description, 'its arguments': schema, call: args },
        contentKind: 'json' as const,
      }),
    }),
  }
}
