import type { HookFile } from '../../../config/hooks/hook-files.ts'
import { peerModeWords } from '../../../config/permission-mode.ts'
import { lookThrough } from '../../../files/look.ts'
import { askBeforeUser } from '../../../hooks/ask-before-user.ts'
import { ConversationHooks, type ElfNames } from '../../../hooks/conversation-hooks.ts'
import { FileChanges } from '../../../hooks/file-changes.ts'
import type { Hook, HookHandler } from '../../../hooks/hook.ts'
import { HookRunner } from '../../../hooks/hook-runner.ts'
import { afterCalls, beforeCalls } from '../../../hooks/hooked-tools.ts'
import { type ReadHooks, readHooks } from '../../../hooks/read-hooks.ts'
import type { HookExports } from '../../../hooks/run-hook.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json-value.ts'
import type { Plugin } from '../../../machine/plugin.ts'
import { pluginVariables, withPluginFolders } from '../../../machine/plugin-folders.ts'
import { optionVariables } from '../../../machine/plugin-options.ts'
import type { CommandRunner } from '../../../machine/running-command.ts'
import type { Transport } from '../../../machine/transport.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import type { OpenConversation } from '../../../open-conversation.ts'
import type { GuardOptions } from '../../../permission/guard.ts'
import type { SessionChoice } from '../../../session.ts'
import { harmlessText } from '../../../terminal/harmless-text.ts'
import { visibleLine } from '../../../terminal/visible.ts'
import type { ToolExecutor } from '../../../tool.ts'
import type { Machine } from '../../machine.ts'
import type { CurrentModel } from '../model/current-model.ts'
import { programEnvironment, projectVariables } from '../programs/server-environment.ts'
import type { LoopState } from '../session/loop-state.ts'
import type { Records } from '../session-records.ts'
import type { WireContext } from '../wire-context.ts'
import { agentAsker } from './ask-agent.ts'
import { type AskingParts, modelAsker } from './ask-model.ts'
import { callConditions, ruleFault } from './call-conditions.ts'
import { type ModeParts, setModeByHook } from './mode-by-hook.ts'

/** The hooks of a conversation. */
export interface RunHooks {
  /** Runs around its turns. Close it before the audit log of the conversation. */
  readonly conversation: ConversationHooks
  /** Stands around the guard. */
  before(executor: ToolExecutor): ToolExecutor
  /** Stands behind the guard. */
  after(executor: ToolExecutor): ToolExecutor
  /** Answers for the user where it can. */
  readonly beforeAsking: GuardOptions['beforeAsking']
  /** All hooks, and how each last ended. */
  readonly ends: HookRunner['ends']
  /** Lets the hooks of a file run until `end`. Says what of them cannot, and whether that is a check of calls. */
  lend(file: HookFile): LentHooks
  /** The files whose hooks run only for now. */
  readonly lentFiles: readonly HookFile[]
  /** Describes the hooks that run now, in the words of their authors. */
  readonly work: HookRunner['work']
}

/** Hooks that run for a turn. */
export interface LentHooks {
  readonly problems: readonly string[]
  /** Whether one of them was to check calls, which go on without it. */
  readonly lacksCheck: boolean
  end(): void
}

/** Hooks, if any run, and what the user is told about those that do not. */
export interface OpenedHooks {
  readonly hooks?: RunHooks
  readonly warnings: readonly string[]
}

export interface HookParts {
  readonly records: Pick<Records, 'id' | 'log' | 'earlier' | 'transcript'>
  readonly state: Pick<LoopState, 'audit' | 'actor' | 'spending'>
  readonly commands: CommandRunner
  readonly transport: Transport
  readonly model: CurrentModel
  readonly models: AskingParts['others']
  readonly policy: ModeParts['policy']
  readonly variables: HookExports
  /** Whether other conversations work under the same policy. */
  readonly isShared: boolean
  readonly tools: ToolExecutor['tools']
  /** Whether files of skills and commands may bring more for a turn. */
  readonly mayBeLent: boolean
  /** Opens conversations that judge for hooks. Absent where none can be opened. */
  readonly openJudge: OpenConversation | undefined
}

/** Opens the hooks of files, all of which are the user's own or approved. */
export function openHooks(context: WireContext, files: readonly HookFile[], parts: HookParts): OpenedHooks {
  const { at: machine, loaded, choices } = context
  const read = files.map((file) => readUsable(file, machine))
  const { callbacks } = choices
  const hooks = [...read.flatMap((one) => one.hooks), ...(callbacks?.hooks ?? [])]
  const warnings = read.flatMap(({ problems }) => problems)
  if (hooks.length === 0 && !parts.mayBeLent) return { warnings }
  const { root } = loaded.trust
  const { cwd, home, env, clock } = machine
  const { commands, transport, records, state, model, models } = parts
  const elf = elfOf(context, parts)
  const runner = new HookRunner({
    hooks,
    commands,
    transport,
    callBack: callbacks?.call,
    ask: modelAsker({ machine, settings: loaded.settings, model, others: models, state }),
    askAgent: agentAsker(parts.openJudge, {
      settings: loaded.settings,
      actor: state.actor,
      fast: models.fast,
    }),
    clock,
    cwd,
    env: hookEnvironment(env, { home, root }),
    variables: env,
    exports: parts.variables,
    isCovered: callConditions(machine, state.actor),
    about: aboutRun(context, parts, elf),
    audit: state.audit,
    actor: state.actor.id,
    clean: harmlessText,
  })
  const changes = new FileChanges({ hooks: runner, cwd, stamp })
  const conversation = new ConversationHooks({
    hooks: runner,
    changes,
    began: records.earlier !== undefined ? 'resume' : isCleared(choices.session) ? 'clear' : 'startup',
    ...(elf && { elf }),
  })
  const setMode = (word: string, by: string) =>
    setModeByHook(word, by, { ...parts, audit: state.audit }, context)
  const options = { hooks: runner, changes, cwd, home, stop: conversation.stop, setMode }
  const lent = new Set<HookFile>()
  return {
    warnings,
    hooks: {
      conversation,
      before: (executor) => beforeCalls(executor, options),
      after: (executor) => afterCalls(executor, options),
      beforeAsking: (call, about) => askBeforeUser({ ...call, tools: parts.tools() }, about, options),
      get ends() {
        return runner.ends
      },
      lend: (file) => {
        const { hooks: more, problems } = readUsable(file, machine)
        const end = runner.lend(more)
        lent.add(file)
        return {
          problems,
          lacksCheck: problems.length > 0 && lacksCheck(file, more),
          end: () => {
            end()
            lent.delete(file)
          },
        }
      },
      get lentFiles() {
        return [...lent]
      },
      get work() {
        return runner.work
      },
    },
  }
}

function isCleared(session: SessionChoice): boolean {
  return session.type === 'new' && session.isCleared === true
}

/** Whether a file has checks of calls that are not among its usable hooks. */
function lacksCheck({ hooks: written }: HookFile, usable: readonly Hook[]): boolean {
  const groups = isJsonObject(written) ? written['PreToolUse'] : undefined
  if (groups === undefined) return false
  const all = Array.isArray(groups)
    ? groups.map((group: JsonValue) => (isJsonObject(group) ? group['hooks'] : undefined))
    : [undefined]
  const count = all.map((list) => (Array.isArray(list) ? list.length : 1)).reduce((sum, one) => sum + one, 0)
  return usable.filter(({ event }) => event === 'PreToolUse').length < count
}

/** Names the conversation to its hooks if it is that of an elf. */
function elfOf({ choices, agent }: WireContext, { state }: HookParts): ElfNames | undefined {
  if (choices.parent === undefined) return undefined
  return { agent_id: state.actor.id, agent_type: agent?.definition.name ?? 'general' }
}

/** The fields of every event. */
function aboutRun(
  { at: { cwd }, agent }: WireContext,
  { records, policy }: HookParts,
  elf: ElfNames | undefined,
): () => Promise<JsonObject> {
  const own = elf ?? (agent && { agent_type: agent.definition.name })
  return async () => ({
    session_id: records.id ?? records.log.id,
    ...omitUndefined({ transcript_path: await records.transcript?.path() }),
    cwd,
    permission_mode: peerModeWords[policy.mode],
    ...own,
  })
}

/** Reads the hooks of a file as they run, without those whose condition is no rule. */
export function readUsable(file: HookFile, machine: Pick<Machine, 'cwd' | 'home'>): ReadHooks {
  const path = visibleLine(file.path)
  const { hooks, problems } = readHooks(file.hooks, path)
  const faults = hooks.map(({ condition }) => condition && ruleFault(condition, machine))
  return {
    hooks: hooks.filter((_, i) => faults[i] === undefined).map((hook) => withPlugin(hook, file.plugin)),
    problems: [
      ...problems,
      ...faults.flatMap((fault) => (fault === undefined ? [] : `${path}: hooks: ${fault}`)),
    ],
  }
}

/** Changes whenever a file does. */
function stamp(path: string): string | undefined {
  const stats = lookThrough(path)
  return stats && `${stats.mtimeMs}:${stats.ctimeMs}:${stats.size}:${stats.ino}`
}

/** Gives the hook of a plugin the plugin's folders. A shell fills them in by itself. */
function withPlugin(hook: Hook, plugin: Plugin | undefined): Hook {
  if (plugin === undefined) return hook
  const filled = (text: string) => withPluginFolders(text, plugin)
  return {
    ...hook,
    handler: filledHandler(hook.handler, filled),
    env: { ...pluginVariables(plugin), ...optionVariables(plugin.options) },
  }
}

function filledHandler(handler: HookHandler, filled: (text: string) => string): HookHandler {
  if (handler.type === 'prompt' || handler.type === 'agent')
    return { ...handler, prompt: filled(handler.prompt) }
  if (handler.type !== 'command' || handler.args === undefined) return handler
  return { ...handler, command: filled(handler.command), args: handler.args.map(filled) }
}

/** The variables of the programs of hooks. */
export function hookEnvironment(
  env: Readonly<Record<string, string>>,
  { home, root }: { readonly home: string; readonly root: string },
): Readonly<Record<string, string>> {
  return { ...programEnvironment(env), HOME: home, ...projectVariables(root) }
}
