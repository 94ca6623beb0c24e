import { isAbsolute } from 'node:path'
import { permissionModes } from '../../config/permission-mode.ts'
import { isPipeError, PipeError } from '../../error.ts'
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../json-value.ts'
import type { Decision } from '../../permission.ts'
import { createPolicy } from '../../policy/policy.ts'
import type { RuleText } from '../../policy/rule.ts'
import { printableJson } from '../../terminal/printable-json.ts'
import type { Host } from '../host.ts'
import { policyWorld } from '../wiring/judge.ts'
import { encodeDecision, type Judge, judgedCall } from './permission-call.ts'

/** Characters. A call is not longer; what comes without a line end is not kept. */
const longestLine = 4 * 1024 * 1024
/** Sets of rules that are kept read. */
const mostPolicies = 64
const mostPaths = 10_000

/**
 * Judges each line of stdin, `{tool, input, rules?, cwd?, home?, trusted?}`, and answers each with a line. What cannot be read is
 * denied. Without `rules` the settings hold.
 */
export async function checkLines(host: Host, configured: Judge): Promise<void> {
  const judge = new LineJudge(host, configured)
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of process.stdin) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > longestLine)
      throw new PipeError('input', `a line of stdin has more than ${longestLine} characters`)
    await judge.answer(lines)
  }
  await judge.answer([rest + decoder.decode()])
}

class LineJudge {
  readonly #host: Host
  readonly #configured: Judge
  readonly #world: ReturnType<typeof policyWorld>
  /** By the text of what they are made of. */
  readonly #policies = new Map<string, Judge>()

  constructor(host: Host, configured: Judge) {
    this.#host = host
    this.#configured = configured
    const world = policyWorld(host)
    this.#world = { ...world, realPath: remembered(world.realPath) }
  }

  async answer(lines: readonly string[]): Promise<void> {
    let answers = ''
    for (const line of lines) if (line.trim() !== '') answers += `${printableJson(await this.#judge(line))}\n`
    if (answers !== '') this.#host.stdout.write(answers)
  }

  async #judge(line: string) {
    const value = parseJson(line)
    if (!isJsonObject(value) || typeof value['tool'] !== 'string') {
      return encodeDecision(refuse('expected a JSON object with tool and input'))
    }
    try {
      const { tool, input } = value
      const decision = await this.#policyOf(value).judge(judgedCall(tool, isJsonObject(input) ? input : {}))
      return encodeDecision(isInteractive(value['rules']) ? decision : settle(decision))
    } catch (error) {
      if (!isPipeError(error)) throw error
      return encodeDecision(refuse(error.message))
    }
  }

  #policyOf({ rules, cwd, home, trusted }: JsonObject): Judge {
    if (rules === undefined && cwd === undefined && home === undefined) return this.#configured
    const key = JSON.stringify([rules, cwd, home, trusted])
    const known = this.#policies.get(key)
    if (known !== undefined) return known
    if (this.#policies.size >= mostPolicies) this.#policies.clear()
    const given = isJsonObject(rules) ? rules : {}
    const policy = createPolicy({
      ...this.#world,
      cwd: readFolder('cwd', cwd) ?? this.#world.cwd,
      home: readFolder('home', home) ?? this.#world.home,
      mode: readMode(given['mode']),
      rules: (['deny', 'ask', 'allow'] as const).flatMap((behavior) => readRules(given[behavior], behavior)),
      readsFreely: given['builtin_readonly'] !== false,
      trusted: trusted !== false,
      sandboxed: given['sandboxed'] === true,
    })
    this.#policies.set(key, policy)
    return policy
  }
}

/** Thousands of lines name the same few files: what a check sees of the disk, it sees once. */
function remembered(realPath: (path: string) => Promise<string>): (path: string) => Promise<string> {
  const known = new Map<string, Promise<string>>()
  return (path) => {
    const found = known.get(path) ?? realPath(path)
    if (known.size >= mostPaths) known.clear()
    known.set(path, found)
    return found
  }
}

function isInteractive(rules: JsonValue | undefined): boolean {
  return !isJsonObject(rules) || rules['interactive'] !== false
}

/** Where nobody can be asked, what would be asked about is denied. */
function settle(decision: Decision): Decision {
  if (decision.behavior !== 'ask') return decision
  return { ...decision, behavior: 'deny', reason: `${decision.reason}, and nobody can be asked` }
}

function refuse(reason: string): Decision {
  return { behavior: 'deny', source: 'builtin', reason }
}

function readFolder(name: string, value: JsonValue | undefined): string | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'string' && isAbsolute(value)) return value
  throw new PipeError('input', `${name} must be an absolute path`)
}

function readMode(value: JsonValue | undefined) {
  const mode = permissionModes.find((one) => one === (value ?? 'default'))
  if (mode === undefined) throw new PipeError('input', `no mode is called ${JSON.stringify(value)}`)
  return mode
}

function readRules(value: JsonValue | undefined, behavior: RuleText['behavior']): readonly RuleText[] {
  const all = Array.isArray(value) ? value : []
  if (value !== undefined && !Array.isArray(value))
    throw new PipeError('input', `${behavior} must be a list of rules`)
  return all.map((rule: JsonValue): RuleText => {
    const text = isJsonObject(rule) ? rule['rule'] : rule
    if (typeof text !== 'string') throw new PipeError('input', `${behavior} must be a list of rules`)
    return { text, behavior, source: 'user' }
  })
}
