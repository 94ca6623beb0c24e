import { bashTool } from '../../../builtin/command/bash-tool.ts'
import { fetchTool } from '../../../builtin/web/fetch-tool.ts'
import type { Layer } from '../../../config/layers.ts'
import { exitCodes, PipeError } from '../../../error.ts'
import type { JsonObject } from '../../../json-value.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { type Outputs, printWarning } from '../../../terminal/output.ts'
import { printableJson } from '../../../terminal/printable-json.ts'
import { visible } from '../../../terminal/visible.ts'
import { readOwnSettings } from '../../choices.ts'
import type { Flags } from '../../flags.ts'
import type { RunContext } from '../../run-context.ts'
import { isTerminal } from '../../standard-output.ts'
import { withFolders } from '../../wiring/open-context.ts'
import { openSettings } from '../../wiring/read-settings.ts'
import { openPolicy } from '../../wiring/tools/judge.ts'
import { knownTool, knownTools } from '../../wiring/tools/known-tools.ts'
import { readRules, ruleTexts, warnOfRules } from '../../wiring/tools/rules.ts'
import { callFlag, encodeDecision, isJudgeable, judgedCall } from './permission-call.ts'

/** Prints the mode and the rules in force with their sources, one per line; deny rules first, in order of judgement. */
export async function listRules({ host, flags }: RunContext): Promise<void> {
  const { settings, layers } = await openSettings(host, readOwnSettings(flags))
  const mode = settings.permissions?.mode ?? 'default'
  const rules = ruleTexts(layers)
  warnOf(layers, host)
  if (flags.format === 'json') {
    const listed = rules.map(({ text, behavior, source, origin }) => ({
      rule: text,
      behavior,
      source,
      ...omitUndefined({ origin }),
    }))
    host.stdout.write(`${printableJson({ mode, rules: listed })}\n`)
    return
  }
  host.stdout.write(`mode   ${mode}\n`)
  for (const { text, behavior, origin } of rules) {
    host.stdout.write(
      `${behavior.padEnd(6)} ${visible(text)}${origin === undefined ? '' : `  ${visible(origin)}`}\n`,
    )
  }
}

/** Warns about rules without effect, as a run does. */
function warnOf(layers: readonly Layer[], { stderr }: Pick<Outputs, 'stderr'>): void {
  const names = knownTools.map(({ name }) => name)
  for (const warning of warnOfRules(ruleTexts(layers), names)) stderr.write(`pipe: ${visible(warning)}\n`)
}

/** Exit codes of a check: allowed, would ask, denied. */
const verdicts = { allow: 0, ask: exitCodes.permission, deny: exitCodes.check } as const

/** Judges one call, or each line of stdin, without running anything. Returns the exit code. */
export async function checkCalls({ host, flags }: RunContext): Promise<number> {
  const settings = await openSettings(host, readOwnSettings(flags))
  const policy = await openPolicy(host, settings, {
    rules: readRules(settings.layers, host),
    roots: withFolders(host, settings).added ?? [],
    sandboxed: false,
  })
  let isTold = false
  const configured = () => {
    if (!isTold) warnOf(settings.layers, host)
    isTold = true
    return policy
  }
  const asked = askedCall(flags)
  if (asked === undefined) {
    if (await isTerminal(0))
      printWarning(
        host,
        'reading calls from the terminal, one JSON object per line: {"tool", "input"}; Ctrl+D ends the input',
      )
    const { checkLines } = await import('./permission-lines.ts')
    await checkLines(host, configured)
    return 0
  }
  const call = judgedCall(asked.tool, asked.arguments)
  const decision = await configured().judge(call)
  const { behavior, rule, source, reason } = decision
  if (flags.format === 'json') host.stdout.write(`${printableJson(encodeDecision(decision))}\n`)
  else host.stdout.write(`${behavior}: ${visible(reason)} (${visible(rule ?? source)})\n`)
  return verdicts[behavior]
}

interface AskedCall {
  readonly tool: string
  readonly arguments: JsonObject
}

/** The tools that a flag alone stands for. A path may be one to read or to edit. */
const toolsByFlag = { command: bashTool, url: fetchTool, path: undefined } as const

/**
 * Reads the call that the flags describe; `undefined` if they describe none. Throws `usage` if the tool cannot be told from them, or if
 * one of them would not be judged.
 */
function askedCall(flags: Flags): AskedCall | undefined {
  const given = (['command', 'path', 'url'] as const).filter((flag) => flags.has(flag))
  const [first] = given
  const tool = flags.text('tool') ?? (first === undefined ? undefined : toolsByFlag[first]?.name)
  if (tool === undefined && first === undefined) return undefined
  if (tool === undefined)
    throw new PipeError(
      'usage',
      `pipe permissions check --${first} needs --tool, because a rule may allow reading a file but not editing it: --tool read or --tool edit`,
    )
  const facts = knownTool(tool)
  const flag = callFlag(facts) ?? 'path'
  const surplus = given.find((one) => one !== flag)
  if (surplus !== undefined)
    throw new PipeError(
      'usage',
      `pipe permissions check judges a call of ${tool} by --${flag}, and not by --${surplus}`,
    )
  const value = flags.text(flag)
  const args = value === undefined ? {} : { [flag]: value }
  if (value === undefined && callFlag(facts) !== undefined)
    throw new PipeError('usage', `pipe permissions check --tool ${tool} needs --${flag}`)
  if (!isJudgeable(facts, args))
    throw new PipeError(
      'usage',
      `a call of ${tool} has several paths; give it on stdin: {"tool": "${tool}", "input": {…}}`,
    )
  return { tool, arguments: args }
}
