import { estimateFixed, estimateMessages, estimateText } from '../../agent/compaction/token-estimate.ts'
import { modelName } from '../../engine.ts'
import { readCompact } from '../../frontend/slash/compact-call.ts'
import { formatBytes, formatCount, formatUsd } from '../../frontend/words/amount.ts'
import type { ContentBlock, Message, UserMessage } from '../../message.ts'
import { costOf, roundUsd } from '../../model.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { ReplyFormat } from '../../provider.ts'
import { printWarning } from '../../terminal/output.ts'
import { printable } from '../../terminal/printable.ts'
import { printableJson } from '../../terminal/printable-json.ts'
import { encodeMessage } from '../../wire/message-json.ts'
import { readCheckFlags, readChoices, readToolLimits } from '../choices.ts'
import { usageError } from '../flags.ts'
import type { RunContext } from '../run-context.ts'
import type { RunFacts } from '../wiring/session/manifest.ts'
import type { Wired } from '../wiring/wired.ts'
import { wire } from '../wiring/wiring.ts'
import { openChildren } from './child-conversation.ts'
import type { AskedAnswer } from './message/asked-answer.ts'
import { checkInput, composeFirst, type GivenPrompt, readSources } from './message/first-message.ts'
import { reportCalledBy, writtenTexts } from './message/own-commands.ts'
import { withModelNote } from './message/run-prompt.ts'
import { callOf, readTemplate, requireTemplate } from './message/template.ts'

interface DryRun extends RunContext {
  readonly prompt: string | undefined
  readonly asked?: AskedAnswer | undefined
}

/**
 * Prints the first request of a run. Sends nothing to a model, starts no program and saves nothing. Returns the exit code. Throws what
 * opening the run throws.
 */
export async function dryRun(run: DryRun): Promise<number> {
  const { host, flags, signal, asked } = run
  const template = readTemplate(flags)
  const prompt = template === undefined ? run.prompt : callOf(template, run.prompt)
  const given = { ...run, template, prompt }
  if (readCompact(prompt) !== undefined) throw usageError('--dry-run cannot show what /compact sends')
  if ((await reportCalledBy(prompt)) !== undefined)
    throw usageError(`--dry-run has nothing to show: ${prompt?.trim()} sends nothing`)
  checkInput(given)
  readCheckFlags(flags)
  const choices = readChoices(flags.with('no-session', '').with('no-audit', ''), false)
  const wired = await wire({
    machine: host,
    choices: { ...choices, ...readToolLimits(flags), record: undefined, params: template?.params },
    children: openChildren,
    signal,
  })
  try {
    for (const warning of wired.warnings) printWarning(host, warning)
    if (template !== undefined) requireTemplate(template, writtenTexts(wired, host))
    const composed = await composeHere(given, wired)
    const message = withModelNote(composed, asked?.instruction)
    const planned = plan([...wired.earlier, message], wired.facts(), {
      format: asked?.demands().find(({ format }) => format !== undefined)?.format,
      maxCostUsd: choices.limits.maxCostUsd,
    })
    const text = flags.format === 'text' ? describe(planned, message) : `${printableJson(encode(planned))}\n`
    host.stdout.write(host.stdout.isTerminal ? printable(text) : text)
    return 0
  } finally {
    await wired.close()
  }
}

/** Composes the message from what is here, without the servers of tools, which would have to be started. */
async function composeHere(given: GivenPrompt, wired: Wired): Promise<UserMessage> {
  const sources = await readSources(given, wired)
  try {
    await wired.mentionedSessions.prepare(given.prompt ?? '', given.signal)
    return composeFirst(given, sources, wired)
  } finally {
    await sources.discard()
  }
}

interface Tokens {
  readonly systemPrompt: number
  readonly tools: number
  readonly messages: number
}

interface Planned extends RunFacts {
  readonly messages: readonly Message[]
  readonly format: ReplyFormat | undefined
  /** Estimates. */
  readonly tokens: Tokens
  /** The most that the first request costs, in US dollars. Absent if the price or the limit of the reply is unknown. */
  readonly firstUsd: number | undefined
  /** The limit of `--max-cost`. */
  readonly maxCostUsd: number | undefined
}

function plan(
  messages: readonly Message[],
  facts: RunFacts,
  { format, maxCostUsd }: Pick<Planned, 'format' | 'maxCostUsd'>,
): Planned {
  const { choice, systemPrompt, tools, maxReplyTokens } = facts
  const tokens = {
    systemPrompt: estimateText(systemPrompt),
    tools: estimateFixed('', tools),
    messages: estimateMessages(messages),
  }
  const { price, maxOutput } = choice.info ?? {}
  const outputTokens = maxReplyTokens ?? maxOutput
  const inputTokens = sum(tokens)
  const usage = { inputTokens, outputTokens: outputTokens ?? 0 }
  const dearest =
    price && Math.max(costOf(usage, price), costOf({ ...usage, cacheWriteTokens: inputTokens }, price))
  return {
    ...facts,
    messages,
    tokens,
    maxReplyTokens: outputTokens,
    format,
    firstUsd: outputTokens === undefined ? undefined : dearest,
    maxCostUsd,
  }
}

function sum({ systemPrompt, tools, messages }: Tokens): number {
  return systemPrompt + tools + messages
}

function encode(planned: Planned): object {
  const { choice, systemPrompt, tools, messages, temperature, maxReplyTokens, format, tokens } = planned
  const { firstUsd, maxCostUsd } = planned
  return {
    type: 'dry_run',
    model: modelName(choice),
    ...omitUndefined({ thinking: choice.thinking, temperature, max_output_tokens: maxReplyTokens, format }),
    system_prompt: systemPrompt,
    tools: tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
    messages: messages.map(encodeMessage),
    estimated_tokens: {
      system_prompt: tokens.systemPrompt,
      tools: tokens.tools,
      messages: tokens.messages,
      total: sum(tokens),
    },
    ...omitUndefined({
      first_request_max_usd: firstUsd && roundUsd(firstUsd),
      run_max_usd: maxCostUsd,
    }),
  }
}

/** Shows the request to a person: facts and sizes first, then the texts as the model gets them. */
function describe(planned: Planned, message: UserMessage): string {
  const { choice, systemPrompt, tools, messages, temperature, maxReplyTokens, format, tokens } = planned
  const { firstUsd, maxCostUsd } = planned
  const earlier = messages.length - 1
  const facts = {
    model: modelName(choice),
    thinking: choice.thinking,
    temperature: temperature?.toString(),
    format: format && JSON.stringify(format),
    tools: tools.map(({ name }) => name).join(', ') || 'none',
    conversation: earlier === 0 ? undefined : `${earlier} earlier messages`,
    attached: message.metadata?.['attached'],
    tokens: `about ${formatCount(sum(tokens))}: system prompt ${formatCount(tokens.systemPrompt)}, tools ${formatCount(tokens.tools)}, messages ${formatCount(tokens.messages)}`,
    reply: maxReplyTokens === undefined ? undefined : `at most ${formatCount(maxReplyTokens)} tokens`,
    cost: [
      firstUsd === undefined
        ? `${choice.info?.price === undefined ? 'no price' : 'no limit of the reply (--max-output-tokens)'} is known for this model`
        : `at most about ${formatUsd(firstUsd)} for this request`,
      maxCostUsd === undefined
        ? 'no limit for the run (--max-cost)'
        : `at most ${formatUsd(maxCostUsd)} for the run`,
    ].join('; '),
  }
  const lines = Object.entries(facts).flatMap(([name, value]) =>
    value === undefined ? [] : [`${`${name}:`.padEnd(14)}${value}`],
  )
  const said = message.content.map(describeBlock).join('\n')
  return `${lines.join('\n')}\n\n--- system prompt\n${systemPrompt}\n\n--- message\n${said}\n`
}

function describeBlock(block: ContentBlock): string {
  if (block.type === 'text') return block.text
  return block.type === 'image' || block.type === 'document'
    ? `[${block.type}, ${block.mimeType}, ${formatBytes(Math.floor((block.data.length * 3) / 4))}]`
    : `[${block.type}]`
}
