import type { CheckDemand } from '../../../answers/check-demand.ts'
import { underOwnNames } from '../../../builtin/own-names.ts'
import { mayImport } from '../../../config/context/approved-imports.ts'
import { checkpointed, keepingFiles } from '../../../git/checkpoints/checkpointed.ts'
import type { Checkpoints } from '../../../history/checkpoint.ts'
import { EditNews } from '../../../lsp/edit-news.ts'
import { withFileErrors } from '../../../lsp/watched-edits.ts'
import type { CommandRunner, ProcessTable } from '../../../machine/running-command.ts'
import type { SandboxMode } from '../../../machine/sandbox.ts'
import type { Transport } from '../../../machine/transport.ts'
import { findingFirst } from '../../../mcp/finding-first.ts'
import type { ServerPool } from '../../../mcp/server-pool.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import type { OpenConversation } from '../../../open-conversation.ts'
import { type Deputy, guard } from '../../../permission/guard.ts'
import type { ModePolicy } from '../../../permission/policy.ts'
import type { PermissionMode } from '../../../permission.ts'
import { findProgram } from '../../../process/search-path.ts'
import { systemPath } from '../../../process/system-path.ts'
import type { Subtasks } from '../../../task.ts'
import { combine, only, type ToolExecutor } from '../../../tool.ts'
import type { AnswerDemand } from '../../../turn-hooks.ts'
import type { Machine } from '../../machine.ts'
import type { RunHooks } from '../hooks/open-hooks.ts'
import { openRunHooks } from '../hooks/run-hooks.ts'
import { searchFor } from '../memory/session-search.ts'
import type { CurrentModel } from '../model/current-model.ts'
import type { ModelsInUse } from '../model/models-in-use.ts'
import { editedFiles, type FollowingPrograms } from '../programs/following-programs.ts'
import { projectFolders } from '../project-folders.ts'
import type { LoopState } from '../session/loop-state.ts'
import { openCheckpoints } from '../session/open-checkpoints.ts'
import type { Records } from '../session-records.ts'
import type { RunSkills } from '../skills/run-skills.ts'
import type { ForeignParts, OpenChildren, ParentConversation, WireContext } from '../wire-context.ts'
import { createBuiltinTools } from './builtin-tools.ts'
import { mayDelegate, type OpenedElves, openElves } from './elves.ts'
import { ruleSaver } from './judge.ts'
import { isOffered } from './known-tools.ts'
import { withLaterInstructions } from './later-instructions.ts'
import { warnOfRules } from './rules.ts'
import { openGround, type ToolGround } from './tool-ground.ts'
import type { OpenedServers } from './tool-servers.ts'
import type { CheckParts } from './user-check.ts'

/** The tools of a conversation and what they run on. */
export interface Toolset {
  /** The tools behind the guard. */
  readonly executor: ToolExecutor
  readonly policy: ModePolicy
  readonly checkpoints: Checkpoints
  readonly commands: CommandRunner
  /** The commands in the background. */
  readonly processes: ProcessTable
  /** Whether the user can be asked. */
  readonly attended: boolean
  /** The MCP servers, if any may run. */
  readonly servers?: Pick<OpenedServers, 'pool' | 'mentions' | 'changes'> | undefined
  /** The elves at work. Closed by whoever closes the conversation. */
  readonly elves?: OpenedElves['roster'] | undefined
  /** The skills, whose files the model reads without a question. */
  readonly skills: RunSkills
  /** The command of the user that must succeed before a turn ends, if there is one. */
  readonly check?: CheckDemand | undefined
  /** Passes on what language servers say late of edits. Absent: none may run. */
  readonly news?: AnswerDemand | undefined
  /** The programs that run around calls and turns, if the user set up any. */
  readonly hooks?: RunHooks | undefined
  /** The command line of the project for the status, if the user approved one. */
  readonly statusLine?: string | undefined
  /** Whether the rules allow the model to see a file. */
  mayRead(path: string): boolean
  /** Returns the sandbox that commands run in now; `undefined` if none. */
  sandbox(): Promise<SandboxMode | undefined>
  /** Returns a note about this mode for the user, once. */
  noteOf(mode: PermissionMode): Promise<string | undefined>
  readonly warnings: readonly string[]
  readonly notices: readonly string[]
}

/** Names the parts of a conversation that its tools need. */
export interface ToolsetParts {
  readonly records: Records
  readonly state: Pick<LoopState, 'events' | 'spending' | 'audit' | 'actor'>
  readonly transport: Transport
  readonly model: CurrentModel
  /** Opens models besides that of the conversation. */
  readonly models: Pick<ModelsInUse, 'fast' | 'open'>
  /** The parts that conversations of one run share. Default: its own. */
  readonly ground?: ToolGround
}

interface BuiltinParts
  extends Pick<ToolGround, 'running' | 'policy' | 'variables'>,
    Pick<Toolset, 'mayRead' | 'checkpoints'>,
    Pick<FollowingPrograms, 'format'> {}

/** Opens the tools. The guard wraps all of them and the checkpoints; commands run in the sandbox. */
export async function openToolset(context: WireContext, opened: ToolsetParts): Promise<Toolset> {
  const { at: machine, choices, parts } = context
  const { id } = opened.records
  const { onAsk } = choices
  const ground = opened.ground ?? (await openGround(context, opened))
  const { rules, running, policy, variables, skills, servers, finder, following } = ground
  const { commands, processes, inMode, noteOf } = running
  const mayRead = (path: string) => !policy.forbidsReading(path) && (parts.mayRead?.(path) ?? true)
  const checkpoints = parts.checkpoints ?? openCheckpoints(machine, commands, id)
  const reading = { mayRead, checkpoints, format: following.format }
  const builtin = await builtinOf(context, opened, { ...ground, ...reading })
  // Files that a caller brings are not those that a server reads.
  const languages = parts.artifacts === undefined ? following.languages : undefined
  const lentHooks = () => hooks?.lentFiles ?? []
  const shared = { servers: servers?.shared, languages, variables }
  const parent = { policy, checkpoints, shared, lentHooks }
  const elves = await elvesOf(context, opened, { ...parent, commands })
  const found = servers?.executor ?? finder ?? []
  const all = combine([builtin, elves?.executor ?? [], found, parts.tools ?? []].flat())
  const tools = only((name) => name !== choices.permissionTool && isOffered(name, context), all)
  const { hooks, ...about } = await openRunHooks(context, {
    ...opened,
    commands,
    policy,
    variables,
    isShared: opened.ground !== undefined,
    tools: () => tools.tools(),
    openJudge: childOpener(context, opened, parent, context.judges),
    mayBeLent: ground.mayBeLent,
  })
  const done = hooks?.after(checkpointed(tools, checkpoints)) ?? checkpointed(tools, checkpoints)
  const news = languages && new EditNews(machine.clock)
  const watched = news && { ...editedFiles(machine.cwd), open: languages.open, news }
  const behindGuard = watched === undefined ? done : withFileErrors(done, watched)
  const saveRules = ruleSaver(machine, context.directories, context.signal)
  const note = await noteOf(policy.mode)
  const names = all.tools().map(({ name }) => name)
  const sandbox = () => inMode(policy.mode)
  const confined = async () => (await sandbox()) !== undefined
  const { actor } = opened.state
  const check = await checkOf(choices, { builtin, actor, isConfined: confined, cwd: machine.cwd })
  const { beforeAsking } = hooks ?? {}
  const deputy = await deputyOf(context, servers?.pool)
  const more = omitUndefined({ beforeAsking, deputy })
  const asking = { policy, newId: machine.newId, onAsk, saveRules, ...more }
  const guarded = guard(behindGuard, asking)
  const instructed = { records: opened.records, mayRead, skills }
  const whole = withInstructions(context, hooks?.before(guarded) ?? guarded, instructed)
  return {
    executor: underOwnNames(servers === undefined ? whole : findingFirst(whole)),
    policy,
    checkpoints,
    commands,
    processes,
    attended: onAsk === 'ask',
    elves: elves?.roster,
    servers,
    skills,
    hooks,
    check,
    news,
    statusLine: following.statusLine,
    mayRead,
    sandbox,
    noteOf,
    warnings: [...(note === undefined ? [] : [note]), ...warnOfRules(rules, names), ...about.warnings],
    notices: noticeOfShell(machine),
  }
}

/** Opens the tool that answers for the user. Other runs load nothing for it. */
async function deputyOf(
  { at, choices: { permissionTool } }: WireContext,
  pool: ServerPool | undefined,
): Promise<Deputy | undefined> {
  if (permissionTool === undefined) return undefined
  return (await import('./permission-tool.ts')).openPermissionTool(permissionTool, pool, at)
}

/** Opens the user's check. Other runs load nothing for it. */
async function checkOf(
  { check }: WireContext['choices'],
  parts: CheckParts,
): Promise<CheckDemand | undefined> {
  return check && (await import('./user-check.ts')).openCheck(check, parts)
}

/** Adds the instructions that come with work on some files. */
function withInstructions(
  { at: { cwd, home }, directories: { config }, choices, loaded }: WireContext,
  executor: ToolExecutor,
  { records, mayRead, skills }: Pick<ToolsetParts, 'records'> & Pick<Toolset, 'mayRead' | 'skills'>,
): ToolExecutor {
  if (loaded.given?.isBare === true) return executor
  return withLaterInstructions(executor, {
    cwd,
    home,
    config,
    mayRead,
    earlier: records.earlier?.messages ?? [],
    mayImport: (path) => mayImport(path, loaded.trust),
    skills: () => skills.known,
    isWatched: choices.interactive || choices.verbose === true,
  })
}

/** Creates the built-in tools. */
async function builtinOf(
  context: WireContext,
  { records, transport }: ToolsetParts,
  { running, policy, variables, mayRead, checkpoints, format }: BuiltinParts,
): Promise<ToolExecutor> {
  const { at: machine, choices, loaded } = context
  const { settings } = loaded
  const { earlier, id, scratch, files, recall, memories } = records
  const canWatch = isOffered('process', context)
  return createBuiltinTools(machine, settings, {
    commands: running.commands,
    env: () => variables.env,
    around: (disk) => keepingFiles(context.parts.files?.(disk) ?? disk, checkpoints),
    elsewhere: context.parts.artifacts,
    sandbox: running.sandbox,
    earlier: earlier?.messages,
    tasks: await subtasksOf(context, () => policy.mode),
    recall: recall && searchFor(recall, settings.recall, { cwd: machine.cwd, except: id }),
    memories: settings.memory?.tool === false ? undefined : memories?.open,
    processes: running.processes,
    transport,
    // Another worker may go on with a task. Its elves pass on no files.
    spillDir: choices.taskId === undefined || choices.parent !== undefined ? scratch : files,
    // Without the tool that watches it, a command in the background would be lost.
    onTimeout: choices.interactive && canWatch ? 'background' : 'kill',
    mayRead,
    format,
    interactive: choices.onAsk === 'ask',
  })
}

/** Says if the model cannot run commands. */
function noticeOfShell(machine: Machine): readonly string[] {
  const bash = findProgram('bash', machine.env['PATH'] ?? systemPath, projectFolders(machine))
  return bash === undefined
    ? ['bash is not installed, so the model cannot run commands: install the package bash']
    : []
}

/** Opens the board for the tool `task` if the settings turn it on. Other runs load nothing for it. */
async function subtasksOf(context: WireContext, mode: () => PermissionMode): Promise<Subtasks | undefined> {
  if (context.loaded.settings.tools?.task !== true) return undefined
  return (await import('../tasks/subtasks.ts')).openSubtasks(context, mode)
}

interface ParentParts extends Pick<Toolset, 'policy' | 'checkpoints'>, Pick<ParentConversation, 'lentHooks'> {
  /** The parts that it shares with them. */
  readonly shared: Pick<ForeignParts, 'servers' | 'languages' | 'variables'>
}

/** Opens conversations that work for this one. */
function childOpener(
  { machine, choices, parts }: WireContext,
  { state, model }: ToolsetParts,
  { shared, ...own }: ParentParts,
  open: OpenChildren | undefined,
): OpenConversation | undefined {
  const { budget } = state.spending
  return open?.({ machine, choices, parts: { ...parts, ...shared }, model, budget, ...own })
}

/** Opens the tool `elf` if the model may start elves. */
async function elvesOf(
  context: WireContext,
  opened: ToolsetParts,
  { commands, ...own }: ParentParts & Pick<Toolset, 'commands'>,
): Promise<OpenedElves | undefined> {
  const { at, signal, children } = context
  const { records, state } = opened
  const open = childOpener(context, opened, own, children)
  if (open === undefined || !mayDelegate(context)) return undefined
  const { policy, checkpoints } = own
  return openElves({
    context,
    open,
    sessionId: records.id,
    events: state.events,
    policy,
    checkpoints,
    cwd: at.cwd,
    earlier: records.earlier?.messages ?? [],
    worktrees: async () =>
      (await import('../tasks/task-worktrees.ts')).openSweptWorktrees(at, {
        kind: 'elves',
        commands,
        signal,
      }),
  })
}
