import { exitCodes, PipeError } from '../../../error.ts'
import { readExports } from '../../../hooks/exported-variables.ts'
import { callEvents, type Hook, handlerText, hookEvents, nameOf } from '../../../hooks/hook.ts'
import { type HookAnswer, readAnswer } from '../../../hooks/hook-answer.ts'
import { isAbout } from '../../../hooks/hook-matcher.ts'
import { namesOf, ownInput, peerCall } from '../../../hooks/peer-call.ts'
import { type HookExports, type HookPorts, type HookRun, runHook } from '../../../hooks/run-hook.ts'
import { isJsonObject, type JsonObject, parseJson } from '../../../json-value.ts'
import { createCommandRunner } from '../../../process/command-runner.ts'
import { harmlessText } from '../../../terminal/harmless-text.ts'
import { printWarning } from '../../../terminal/output.ts'
import { printable } from '../../../terminal/printable.ts'
import { visibleLine } from '../../../terminal/visible.ts'
import { readOwnSettings } from '../../choices.ts'
import type { Flags } from '../../flags.ts'
import type { Host } from '../../host.ts'
import type { RunContext } from '../../run-context.ts'
import { callConditions } from '../../wiring/hooks/call-conditions.ts'
import { CommandVariables } from '../../wiring/hooks/command-variables.ts'
import { hooksNotApproved, hooksOfRun } from '../../wiring/hooks/hooks-of-run.ts'
import { hookEnvironment, readUsable } from '../../wiring/hooks/open-hooks.ts'
import { openTransport } from '../../wiring/model/open-network.ts'
import { openSettings } from '../../wiring/read-settings.ts'
import { nameScratch, removeScratch } from '../../wiring/scratch.ts'
import { judgedCall } from '../permissions/permission-call.ts'

/** A made-up event. */
interface Trial {
  readonly input: JsonObject
  /** The names that matchers are tried with; `undefined` if the event has none. */
  readonly names: readonly string[] | undefined
  readonly call: ReturnType<typeof judgedCall> | undefined
}

/**
 * Runs the approved hooks of an event with a made-up input, and prints what each got, how it ended, and what its answer would mean. Returns
 * the exit code: that of a failed check if one would refuse. Throws `usage`, `config`, `aborted`.
 */
export async function testHooks(name: string, { host, flags, signal }: RunContext): Promise<number> {
  const trial = readTrial(name, flags, host)
  const opened = await openSettings(host, readOwnSettings(flags))
  const { settings, trust } = opened
  const { files, warnings } = await hooksOfRun(host, opened, opened.warnings)
  const approved = files.filter(({ isApproved }) => isApproved)
  const read = approved.map((file) => readUsable(file, host))
  const notes = [...warnings, ...read.flatMap(({ problems }) => problems)]
  if (approved.length < files.length) notes.push(hooksNotApproved)
  for (const note of notes) printWarning(host, visibleLine(note))
  const hooks = read.flatMap((one) => one.hooks).filter(({ event }) => event === name)
  const [commands, transport] = [createCommandRunner({ clock: host.clock }), openTransport(host, settings)]
  const env = hookEnvironment(host.env, { home: host.home, root: trust.root })
  const scratch = nameScratch(host)
  const ports = {
    exports: new CommandVariables(host, settings, scratch),
    commands,
    transport,
    clock: host.clock,
    cwd: host.cwd,
    env,
    variables: host.env,
    ask: askNobody,
    askAgent: askNobody,
  }
  try {
    host.stdout.write(`stdin: ${printable(JSON.stringify(trial.input))}\n`)
    let isRefused = false
    let ran = 0
    for (const hook of hooks) {
      if (!(await isMeant(hook, trial, { host, signal }))) continue
      ran++
      const answer = await tryHook(hook, trial, { ports, signal, write: (text) => host.stdout.write(text) })
      isRefused ||= answer.block !== undefined || answer.stop !== undefined
    }
    if (ran === 0) printWarning(host, `no hook runs at this event: pipe hooks list shows all of them`)
    return isRefused ? exitCodes.check : 0
  } finally {
    transport.close()
    await commands.close()
    await removeScratch(scratch)
  }
}

/** Reads the event from the flags. Throws `usage`. */
function readTrial(name: string, flags: Flags, { cwd, home }: Pick<Host, 'cwd' | 'home'>): Trial {
  const event = hookEvents.find((one) => one === name)
  if (event === undefined)
    throw new PipeError('usage', `there is no event ${JSON.stringify(name)}: choose ${hookEvents.join(', ')}`)
  const text = flags.text('input') ?? '{}'
  const fields = parseJson(text)
  if (!isJsonObject(fields)) throw new PipeError('usage', '--input is not a JSON object')
  const about = { session_id: 'test', cwd, permission_mode: 'default', hook_event_name: event }
  if (!callEvents.includes(event)) {
    const { source, trigger, agent_type: agent, notification_type: kind } = fields
    const subject = [source, trigger, agent, kind].find((one) => typeof one === 'string')
    return {
      input: { ...about, ...fields },
      names: subject === undefined ? undefined : [subject],
      call: undefined,
    }
  }
  const word = flags.text('tool')
  if (word === undefined) throw new PipeError('usage', `${event} is about a call: name it with --tool Bash`)
  const { tool } = judgedCall(word, {})
  const args = ownInput(tool, fields)
  const { name: tool_name } = peerCall(tool, args, { cwd, home })
  const input = { ...about, tool_name, tool_input: fields, tool_use_id: 'test' }
  return { input, names: namesOf(tool, []), call: judgedCall(word, isJsonObject(args) ? args : {}) }
}

async function isMeant(
  { matcher, condition }: Hook,
  { names, call }: Trial,
  { host, signal }: Pick<RunContext, 'host' | 'signal'>,
): Promise<boolean> {
  if (names !== undefined && !(await isAbout(matcher, names, { clock: host.clock, signal }))) return false
  if (condition === undefined || call === undefined) return true
  return callConditions(host, call.actor)(condition, { tool: call.tool, args: call.arguments })
}

const askNobody: HookPorts['ask'] = ({ text }) =>
  Promise.reject(new PipeError('input', `a test asks no model; it would be asked: ${text}`))

async function tryHook(
  hook: Hook,
  { input }: Trial,
  {
    ports,
    signal,
    write,
  }: { ports: HookPorts & { exports: HookExports }; signal: AbortSignal; write: (text: string) => void },
): Promise<HookAnswer> {
  write(`\n${visibleLine(handlerText(hook.handler))}\n  from: ${visibleLine(hook.source)}\n`)
  const run = await runHook(hook, input, { ...ports, signal })
  const answer = readAnswer(hook, run, harmlessText)
  const lines = [
    endOf(run),
    ...shown('stdout', run.stdout),
    ...shown('stderr', run.stderr),
    ...meaningOf(answer, exportsOf(hook, run, ports.exports)),
  ]
  write(lines.map((line) => `  ${harmlessText(line)}\n`).join(''))
  return answer
}

/** Says which variables of commands a hook sets, and which it cannot. */
function exportsOf(hook: Hook, { exports: script }: HookRun, exports: HookExports): readonly string[] {
  if (script === undefined) return []
  const read = readExports(script, exports.env)
  const notes = exports.set(read, nameOf(hook))
  const set = Object.entries(read.variables).filter(([name, value]) => exports.env[name] === value)
  return [
    ...(set.length === 0 ? [] : [`sets for commands: ${set.map((one) => one.join('=')).join(' ')}`]),
    ...notes.map((note) => `tells you: ${note}`),
  ]
}

function endOf({ exitCode, timedOut, durationMs }: HookRun): string {
  const how = timedOut ? 'did not finish in time' : exitCode === null ? 'no exit code' : `exit ${exitCode}`
  return `exited: ${how}, after ${Math.round(durationMs)} ms`
}

function shown(name: string, text: string): readonly string[] {
  return text.trim() === '' ? [] : [`${name}: ${text.trim().slice(0, 2_000)}`]
}

/** Says what an answer would bring about, a line each. */
function meaningOf(
  { block, permission, mode, input, context, stop, notices }: HookAnswer,
  exported: readonly string[],
): readonly string[] {
  const means = [
    ...(block === undefined ? [] : [`refuses: ${block}`]),
    ...(stop === undefined ? [] : [`ends the turn: ${stop}`]),
    ...(permission === undefined ? [] : [`${permission.behavior}: ${permission.reason}`]),
    ...(mode === undefined ? [] : [`sets the mode ${mode}`]),
    ...(input === undefined ? [] : [`changes the arguments: ${JSON.stringify(input)}`]),
    ...(context === undefined ? [] : [`tells the model: ${context}`]),
    ...exported,
    ...notices.map((notice) => `tells you: ${notice}`),
  ]
  return (means.length === 0 ? ['lets it continue'] : means).map((text) => `means: ${text}`)
}
