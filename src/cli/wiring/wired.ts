import type { AgentDefinition } from '../../actor.ts'
import type { Meter } from '../../agent/limits/meter.ts'
import type { OpenEngine } from '../../agent/open-engine.ts'
import { mayImport } from '../../config/context/approved-imports.ts'
import type { LayeredSettings } from '../../config/layers.ts'
import { bypassRefusal } from '../../config/peer/peer-limits.ts'
import type { Settings } from '../../config/settings.ts'
import { submoduleNote } from '../../config/trust/submodules.ts'
import type { ElvesAtWork } from '../../elf.ts'
import type { PipeError } from '../../error.ts'
import type { SessionId } from '../../id.ts'
import type { JsonObject } from '../../json-value.ts'
import type { Plugin } from '../../machine/plugin.ts'
import type { ProcessTable } from '../../machine/running-command.ts'
import type { SandboxMode } from '../../machine/sandbox.ts'
import type { ServerPool } from '../../mcp/server-pool.ts'
import type { Message } from '../../message.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { ModePolicy } from '../../permission/policy.ts'
import type { PermissionMode } from '../../permission.ts'
import type { Tool } from '../../tool.ts'
import type { CheckVerdict, PromptHooks } from '../../turn-hooks.ts'
import { auditedMode, auditedTrust } from './audit/audited-consent.ts'
import type { RunCalledWorks } from './called/called-works.ts'
import type { RunTexts } from './called/run-texts.ts'
import type { RunHooks } from './hooks/open-hooks.ts'
import type { RunMemories } from './memory/open-memories.ts'
import type { LazyRecall } from './memory/session-search.ts'
import { controlModels, type ModelControls } from './model/model-controls.ts'
import type { ServerChanges } from './servers/server-changes.ts'
import { FileTurns } from './session/file-turns.ts'
import { composeManifest, type MessageSources, type RunFacts } from './session/manifest.ts'
import { MentionedSessions } from './session/mentioned-sessions.ts'
import type { LoopParts } from './session/open-loop.ts'
import type { ServerMentions } from './tools/server-mentions.ts'
import type { TrustGate } from './tools/trust-gate.ts'
import type { WireContext } from './wire-context.ts'

/** All parts of one conversation, opened in order and closed in reverse. */
export interface Wired extends ModelControls {
  readonly conversation: OpenEngine
  /** Since it was opened, with its elves. */
  readonly spent: Pick<Meter, 'usage' | 'costUsd'>
  /** Absent if nothing is saved. */
  readonly sessionId: SessionId | undefined
  /** Writes the session in the format that status lines and hooks read. Returns the path; `undefined` if there is none. */
  transcript(): Promise<string | undefined>
  /** The name of the agent that it works as, if any. */
  readonly agent: string | undefined
  /** The text of that agent before a first message of the user, if it has one. */
  readonly firstPrompt?: string | undefined
  /** The mode can be set. Setting one that is refused throws the refusal. */
  readonly policy: Pick<ModePolicy, 'mode'>
  /** Returns the `usage` error for a mode that is looser than that of the agent. */
  modeRefusal(mode: PermissionMode): PipeError | undefined
  /** Lists what the user allowed for this session: rules as written, and names of tools. */
  grants(): readonly string[]
  /** Returns the sandbox that commands run in now; `undefined` if none. */
  sandbox(): Promise<SandboxMode | undefined>
  /** Returns a note about this mode for the user, once. */
  noteOfMode(mode: PermissionMode): Promise<string | undefined>
  /** Asks the user whether to trust this folder. */
  readonly trust: TrustGate
  /** The commands that run in the background. */
  readonly processes: Pick<ProcessTable, 'list' | 'find'>
  /** Returns the prompts that are commands of this folder and of the user, as they are on disk now. */
  readonly prompts: RunTexts['prompts']
  /** The plugins that count. */
  readonly plugins: readonly Pick<Plugin, 'name' | 'root'>[]
  /** Returns the skills of this folder and of the user, as they are on disk now. */
  readonly skills: RunTexts['skills']
  /** Those of them that messages call. */
  readonly called: RunCalledWorks
  /** Returns the tools that the model is offered. */
  tools(): readonly Tool[]
  /** Whether the model can read files, and so use a skill by itself. */
  readonly readsFiles: boolean
  /** More folders to work in, as real paths: those of the command line, and approved ones of the project. */
  readonly added: readonly string[]
  /** The user's config folder. */
  readonly config: string
  /** The use of stdin, if a setting chooses one. */
  readonly stdin: Settings['stdin']
  /** The user's settings of the screen. */
  readonly tui: Settings['tui']
  /** The command line for the status: the approved one of the project, else the user's. */
  readonly statusLine: string | undefined
  /** Whether the rules allow the model to see a file. */
  mayRead(path: string): boolean
  /** Whether the user approved that instructions of the project import this file, a real path outside of it. */
  mayImport(path: string): boolean
  /** Nothing counts that folders hold besides settings: no instructions, no commands. */
  readonly isBare: boolean
  /** Folder for files of this conversation, created on demand. Kept with its session; without one removed at the end. */
  readonly files: string
  readonly warnings: readonly string[]
  /** Other notices to the user before the first message is sent. */
  readonly notices: readonly string[]
  /** Lists the settings taken from another agent, and those without effect. */
  readonly peerSettings: LayeredSettings['peer']
  /** The turns that changed files, which can be undone. */
  readonly fileTurns: FileTurns
  /** Search in all sessions on disk; absent if the caller stores them. */
  readonly recall?: Pick<LazyRecall, 'open'>
  /** The memories; absent if the settings turn them off. */
  readonly memories?: RunMemories
  /** The MCP servers; absent if none may run. */
  readonly servers?: ServerPool
  /** Brings their material into messages. */
  readonly serverMentions?: ServerMentions
  /** Changes them during the run; absent unless a program drives it. */
  readonly serverChanges?: ServerChanges
  /** Judges what the user says; absent without hooks. */
  readonly hooks?: PromptHooks
  /** Returns the last verdict of the user's check; `undefined` until it ran, and without one. */
  checkVerdict(): CheckVerdict | undefined
  /** The hooks that run, and how each last ended. */
  readonly hookEnds: RunHooks['ends']
  /** Returns what the hooks that run now do, in the words of their authors; `undefined` if none says. */
  hookWork(): string | undefined
  /** The elves at work; absent if the model starts none. */
  readonly elves?: ElvesAtWork
  /** Lists the agents that an elf can work as; absent if the model starts none. */
  agents?(): Promise<readonly AgentDefinition[]>
  /** The earlier sessions that messages mention. */
  readonly mentionedSessions: MentionedSessions
  /** The hash of the last line of the audit log, if there is one. */
  auditHead(): string | undefined
  /** The messages that the conversation was opened with. */
  readonly earlier: readonly Message[]
  /** Returns all that each request holds besides its messages, as it is now. */
  facts(): RunFacts
  /** Describes a run that begins now, for the metadata of its first message; `unattended`: as it would be without a user to ask. */
  manifest(sources: MessageSources, unattended?: 'unattended'): JsonObject
  close(): Promise<void>
}

interface OpenedParts extends LoopParts {
  readonly conversation: OpenEngine
  readonly trust: TrustGate
  readonly texts: RunTexts
  readonly called: RunCalledWorks
}

/** Gives front ends what they need of the opened parts. */
export function wiredOf(context: WireContext, opened: OpenedParts): Wired {
  const { machine, at, choices, agent, directories, loaded, closing } = context
  const { conversation, records, models, state, toolset, trust, texts, called } = opened
  const { policy, elves, servers, hooks } = toolset
  const { config } = directories
  const isBare = loaded.given?.isBare === true
  const modeRefusal = (mode: PermissionMode) => bypassRefusal(mode, loaded.peer) ?? agent?.refusalOf(mode)
  return {
    ...controlModels(models, conversation.engine),
    conversation,
    spent: state.spending.budget.spent,
    sessionId: records.id,
    transcript: async () => records.transcript?.path(),
    agent: agent?.definition.name,
    policy: auditedMode(policy, state.audit, modeRefusal),
    modeRefusal,
    grants: () => policy.grants(),
    sandbox: toolset.sandbox,
    noteOfMode: toolset.noteOf,
    trust: auditedTrust(trust, state.audit),
    processes: toolset.processes,
    isBare,
    ...texts,
    called,
    plugins: loaded.plugins ?? [],
    tools: () => toolset.executor.tools(),
    readsFiles: toolset.executor.tools().some(({ name }) => name === 'read'),
    added: machine.added ?? [],
    config,
    stdin: loaded.settings.stdin,
    tui: loaded.settings.tui,
    statusLine: toolset.statusLine ?? loaded.settings.tui?.status_line,
    mayRead: toolset.mayRead,
    mayImport: (path) => mayImport(path, loaded.trust),
    files: records.files,
    warnings: [
      ...(agent?.warnings ?? []),
      ...records.warnings,
      ...toolset.warnings,
      ...emptySubmodules(choices.worktree),
    ],
    notices: [...models.notices, ...toolset.notices],
    peerSettings: loaded.peer,
    fileTurns: new FileTurns(records.id, machine, toolset.commands, () => conversation.engine.history),
    ...omitUndefined({
      recall: records.recall,
      memories: records.memories,
      elves,
      servers: servers?.pool,
      serverMentions: servers?.mentions,
      serverChanges: servers?.changes,
      hooks: hooks?.conversation,
    }),
    ...(elves !== undefined && {
      agents: async () => (await import('./tools/elves.ts')).listAgents(context),
    }),
    checkVerdict: () => toolset.check?.verdict,
    mentionedSessions: new MentionedSessions(at),
    get firstPrompt() {
      const begins = choices.parent === undefined && conversation.engine.history.length === 0
      return begins ? agent?.definition.firstPrompt : undefined
    },
    get hookEnds() {
      return hooks?.ends ?? []
    },
    hookWork: () => hooks?.work,
    auditHead: () => records.audit.head,
    earlier: records.earlier?.messages ?? [],
    facts: () => manifestFacts(context, opened, undefined),
    manifest: (sources, unattended) =>
      composeManifest(manifestFacts(context, opened, unattended), sources, at.cwd),
    close: () => closing.close(),
  }
}

function manifestFacts(
  { choices, agent }: Pick<WireContext, 'choices' | 'agent'>,
  { models, state, toolset }: LoopParts,
  unattended: 'unattended' | undefined,
): RunFacts {
  const { temperature, maxReplyTokens } = choices
  const tools = toolset.executor.tools()
  return {
    choice: models.current.choice,
    temperature,
    maxReplyTokens,
    systemPrompt: state.systemPrompt,
    agent: agent?.definition.name,
    tools: unattended === undefined ? tools : tools.filter(({ needsUser }) => needsUser !== true),
  }
}

/** A worktree has no files of submodules, which may surprise. */
function emptySubmodules(worktree: string | undefined): readonly string[] {
  const note = worktree && submoduleNote(worktree, { isEmpty: true, where: 'in the worktree' })
  return note === undefined ? [] : [note]
}
