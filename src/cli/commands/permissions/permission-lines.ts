import { isAbsolute } from 'node:path'
import { readPermissionMode } from '../../../config/permission-mode.ts'
import { isPipeError, PipeError } from '../../../error.ts'
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../../json-value.ts'
import { checkExamples } from '../../../permission/examples.ts'
import { createPolicy } from '../../../permission/policy.ts'
import { type RuleText, readRule } from '../../../permission/rules/rule.ts'
import type { Decision } from '../../../permission.ts'
import type { Output, Outputs } from '../../../terminal/output.ts'
import { printableJson } from '../../../terminal/printable-json.ts'
import type { ToolFacts } from '../../../tool.ts'
import type { Machine } from '../../machine.ts'
import { policyWorld, programOfGit } from '../../wiring/tools/judge.ts'
import { knownTool } from '../../wiring/tools/known-tools.ts'
import { callFlag, encodeDecision, isJudgeable, type Judge, judgedCall } from './permission-call.ts'

/** Maximum characters of a line, so that input without line ends is rejected. No call is longer. */
const longestLine = 4 * 1024 * 1024
/** Maximum cached policies. */
const mostPolicies = 64
const mostPaths = 10_000
/** Lines judged in parallel, to overlap disk access. */
const atOnce = 32

/**
 * Judges each line of stdin, `{tool, input, rules?, cwd?, home?, trusted?}`, and prints one line for each. Denies invalid lines.
 * Lines without `rules`, `cwd` and `home` use `configured`.
 */
export async function checkLines(
  host: Machine & Pick<Outputs, 'stdout'>,
  configured: () => Judge,
): Promise<void> {
  const judge = new LineJudge(host, host.stdout, configured)
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
  readonly #stdout: Output
  readonly #configured: () => Judge
  readonly #world: ReturnType<typeof policyWorld>
  readonly #gitRuns: (cwd: string) => Promise<string | undefined>
  /** Policies by the JSON of their inputs. */
  readonly #policies = new Map<string, Judge>()

  constructor(machine: Machine, stdout: Output, configured: () => Judge) {
    this.#stdout = stdout
    this.#configured = configured
    const world = policyWorld(machine)
    this.#gitRuns = remembered((cwd) => programOfGit({ ...machine, cwd }))
    this.#world = {
      ...world,
      realPath: remembered(world.realPath),
      listFolder: remembered(world.listFolder),
    }
  }

  async answer(lines: readonly string[]): Promise<void> {
    const asked = lines.filter((line) => line.trim() !== '')
    for (let i = 0; i < asked.length; i += atOnce) {
      const answers = await Promise.all(asked.slice(i, i + atOnce).map((line) => this.#judge(line)))
      this.#stdout.write(answers.map((answer) => `${printableJson(answer)}\n`).join(''))
    }
  }

  async #judge(line: string) {
    const value = parseJson(line)
    if (!isJsonObject(value) || typeof value['tool'] !== 'string') {
      return encodeDecision(refuse('expected a JSON object with tool and input'))
    }
    try {
      const call = judgedCall(value['tool'], readInput(value['tool'], value['input']))
      const policy = await this.#policyOf(value)
      const decision = await policy.judge(call)
      return encodeDecision(isInteractive(value['rules']) ? decision : settle(decision))
    } catch (error) {
      if (!isPipeError(error)) throw error
      return encodeDecision(refuse(error.message))
    }
  }

  async #policyOf({ rules, cwd, home, trusted }: JsonObject): Promise<Judge> {
    if (rules === undefined && cwd === undefined && home === undefined) return this.#configured()
    const key = JSON.stringify([rules, cwd, home, trusted])
    const known = this.#policies.get(key)
    if (known !== undefined) return known
    if (this.#policies.size >= mostPolicies) this.#policies.clear()
    const given = rules ?? {}
    if (!isJsonObject(given)) throw new PipeError('input', 'rules must be an object')
    const folder = readFolder('cwd', cwd) ?? this.#world.cwd
    const world = {
      ...this.#world,
      cwd: folder,
      gitRuns: () => this.#gitRuns(folder),
      home: readFolder('home', home) ?? this.#world.home,
      trusted: readFlag('trusted', trusted) ?? true,
      sandboxed: readFlag('sandboxed', given['sandboxed']) ?? false,
    }
    const texts = (['deny', 'ask', 'allow'] as const).flatMap((behavior) =>
      readRules(given[behavior], behavior),
    )
    const all = texts.map((text) => readRule(text, world))
    await checkExamples(all, world)
    const policy = createPolicy({
      ...world,
      mode: readMode(given['mode']),
      rules: all,
      readsFreely: readFlag('builtin_readonly', given['builtin_readonly']) ?? true,
    })
    this.#policies.set(key, policy)
    return policy
  }
}

/** Caches disk lookups: thousands of lines name the same few files. */
function remembered<Rest extends readonly unknown[], T>(
  look: (path: string, ...rest: Rest) => Promise<T>,
): (path: string, ...rest: Rest) => Promise<T> {
  const known = new Map<string, Promise<T>>()
  return (path, ...rest) => {
    const key = [path, ...rest].join('\0')
    const found = known.get(key) ?? look(path, ...rest)
    if (known.size >= mostPaths) known.clear()
    known.set(key, found)
    return found
  }
}

/** Reads a call's arguments. Rejects a call without the argument that it is judged by. */
function readInput(tool: string, input: JsonValue | undefined): JsonObject {
  const given = input ?? {}
  if (!isJsonObject(given)) throw new PipeError('input', 'input must be an object')
  const facts = knownTool(tool)
  if (!isJudgeable(facts, given)) {
    const flag = callFlag(facts)
    const needed = flag === 'path' && !hasPath(facts) ? 'its paths, strings' : `${flag}, a string`
    throw new PipeError('input', `input of ${tool} must have ${needed}`)
  }
  return given
}

/** Whether a path alone makes a call of this tool. */
function hasPath(facts: ToolFacts | undefined): boolean {
  return facts?.paths?.({ path: '.' }).length !== 0
}

function readFlag(name: string, value: JsonValue | undefined): boolean | undefined {
  if (value === undefined || typeof value === 'boolean') return value
  throw new PipeError('input', `${name} must be true or false`)
}

function isInteractive(rules: JsonValue | undefined): boolean {
  return !isJsonObject(rules) || (readFlag('interactive', rules['interactive']) ?? true)
}

/** Turns `ask` into `deny` if nobody can be asked. */
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
  const mode = readPermissionMode(value ?? 'default')
  if (mode === undefined) throw new PipeError('input', `unknown mode ${JSON.stringify(value)}`)
  return mode
}

function readRules(value: JsonValue | undefined, behavior: RuleText['behavior']): readonly RuleText[] {
  const all = Array.isArray(value) ? value : []
  if (value !== undefined && !Array.isArray(value))
    throw new PipeError('input', `${behavior} must be a list of rules`)
  return all.map((rule: JsonValue): RuleText => {
    const text = isJsonObject(rule) ? rule['rule'] : rule
    if (typeof text !== 'string') throw new PipeError('input', `${behavior} must be a list of rules`)
    const { match, not_match: notMatch } = isJsonObject(rule) ? rule : {}
    return {
      text,
      behavior,
      source: 'user',
      match: readExamples('match', match),
      notMatch: readExamples('not_match', notMatch),
    }
  })
}

function readExamples(name: string, value: JsonValue | undefined): readonly string[] | undefined {
  if (value === undefined) return undefined
  const texts = Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
  if (!Array.isArray(value) || texts.length < value.length)
    throw new PipeError('input', `${name} must be a list of strings`)
  return texts
}
