import type { AgentDefinition } from '../../actor.ts'
import { type OpenEngine, openEngine } from '../../agent/open-engine.ts'
import { findDirectories } from '../../config/directories.ts'
import type { FirstRequest } from '../../config/models/auto-route.ts'
import { readOwnPrompts } from '../../config/own-prompts.ts'
import type { Settings } from '../../config/settings.ts'
import { submoduleNote } from '../../config/trust/submodules.ts'
import type { ElfEnd, ElfStart, ElvesAtWork } from '../../elf.ts'
import { infoOf, type ModelChoice, modelName } from '../../engine.ts'
import type { ThinkingControl } from '../../frontend/conversation-view.ts'
import type { OwnPrompt } from '../../frontend/own-prompt.ts'
import type { Checkpoints } from '../../history/checkpoint.ts'
import { agentOfSession, type SessionId } from '../../id.ts'
import type { JsonObject } from '../../json-value.ts'
import type { ProcessTable } from '../../machine/running-command.ts'
import { levelsOf } from '../../model.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { OpenConversation } from '../../open-conversation.ts'
import type { ModePolicy } from '../../permission/policy.ts'
import type { PermissionMode } from '../../permission.ts'
import type { Session } from '../../session.ts'
import type { Machine } from '../machine.ts'
import { auditedMode, auditedTrust, consentsOf, withConsents } from './audit/audited-consent.ts'
import { Closing } from './closing.ts'
import type { RunMemories } from './memory/open-memories.ts'
import type { LazyRecall } from './memory/session-search.ts'
import { usualModel } from './model/chosen-model.ts'
import { openModels } from './model/models-in-use.ts'
import { openTransport } from './model/open-network.ts'
import { openSettings } from './read-settings.ts'
import { agentOf } from './run-actors.ts'
import type { AskedRun, RunAgent } from './run-agent.ts'
import type { Choices } from './run-choices.ts'
import { FileTurns } from './session/file-turns.ts'
import { composeManifest, type MessageSources, manifestOf } from './session/manifest.ts'
import { MentionedSessions } from './session/mentioned-sessions.ts'
import { endingWith } from './session/open-checkpoints.ts'
import { openRecords, type Records } from './session-records.ts'
import { openToolset } from './tools/toolset.ts'
import { openTrustGate, type TrustGate } from './tools/trust-gate.ts'
import type { ForeignParts, ParentConversation, WireContext } from './wire-context.ts'

/** All parts of one conversation, opened in order and closed in reverse. */
export interface Wired {
  readonly conversation: OpenEngine
  /** Absent if nothing is saved. */
  readonly sessionId: SessionId | undefined
  /** `provider/model`, as last chosen. */
  readonly model: string
  /** Lets the first message of a run decide which model answers, if the user left it to that. */
  decide(request: FirstRequest): void
  /** The name of the agent that it works as, if any. */
  readonly agent: string | undefined
  /** The mode can be set. */
  readonly policy: Pick<ModePolicy, 'mode'>
  /** Lists what the user allowed for this session: rules as written, and names of tools. */
  grants(): readonly string[]
  /** Returns a note about this mode for the user, once. */
  noteOfMode(mode: PermissionMode): Promise<string | undefined>
  /** Asks the user whether to trust this folder. */
  readonly trust: TrustGate
  /** Opens another model for this conversation, `provider/model[:level]`. Throws `usage`, `config`, `auth`. */
  openModel(text: string): Promise<ModelChoice>
  /** Returns the context size of a `provider/model` in tokens, if known. */
  contextWindow(model: string): number | undefined
  /** Returns the model, `provider/model`, if it is known to take no images. */
  blindModel(): string | undefined
  /** The thinking of the current model. */
  readonly thinking: ThinkingControl
  /** The commands that run in the background. */
  readonly processes: Pick<ProcessTable, 'list' | 'find'>
  /** Returns the prompts that are commands of this folder and of the user, as they are on disk now. */
  prompts(): readonly OwnPrompt[]
  /** The user's config folder. */
  readonly config: string
  /** The use of stdin, if a setting chooses one. */
  readonly stdin: Settings['stdin']
  /** The user's settings of the screen. */
  readonly tui: Settings['tui']
  /** Whether the rules allow the model to see a file. */
  mayRead(path: string): boolean
  /** Folder for files of this conversation, created on demand. Kept with its session; without one removed at the end. */
  readonly files: string
  readonly warnings: readonly string[]
  /** Other notices to the user before the first message is sent. */
  readonly notices: readonly string[]
  /** The turns that changed files, which can be undone. */
  readonly fileTurns: FileTurns
  /** Search in all sessions on disk; absent if the caller stores them. */
  readonly recall?: Pick<LazyRecall, 'open'>
  /** The memories; absent if the settings turn them off. */
  readonly memories?: RunMemories
  /** The elves at work; absent if the model starts none. */
  readonly elves?: ElvesAtWork
  /** Lists the agents that an elf can work as; absent if the model starts none. */
  agents?(): Promise<readonly AgentDefinition[]>
  /** The earlier sessions that messages mention. */
  readonly mentionedSessions: MentionedSessions
  /** The hash of the last line of the audit log, if there is one. */
  auditHead(): string | undefined
  /** Describes a run that begins now, for the metadata of its first message; `unattended`: as it would be without a user to ask. */
  manifest(sources: MessageSources, unattended?: 'unattended'): JsonObject
  close(): Promise<void>
}

export interface WireOptions {
  readonly machine: Machine
  readonly choices: Choices
  /** Default: none. */
  readonly parts?: ForeignParts
  /** Opens the tools. Default: those of this folder. */
  readonly workbench?: typeof openToolset
  /** Opens conversations for elves. Default: the model starts none. */
  readonly children?: (parent: ParentConversation) => OpenConversation
  readonly signal: AbortSignal
}

/**
 * Opens the parts of a conversation: settings, session, models, tools, loop. Each needs the ones before it. Closes all of them on
 * failure. Throws `usage`, `config`, `auth`, `input`, `conflict`, `sandbox`.
 */
export async function wire({
  machine,
  choices: asked,
  parts = {},
  workbench: open = openToolset,
  children,
  signal,
}: WireOptions): Promise<Wired> {
  const directories = findDirectories(machine.env, machine.home)
  const settled = await openSettings(machine, asked)
  const { config } = directories
  const agent = await openAgent(asked.agent, { config, choices: asked, loaded: settled, signal })
  const { choices, loaded } = agent ?? { choices: asked, loaded: settled }
  const closing = new Closing()
  try {
    const as = omitUndefined({ agent: agent?.definition })
    const { worktree } = choices
    const at = worktree === undefined ? machine : { ...machine, cwd: worktree }
    const parent: ParentConversation = {
      ...{ machine, choices, parts },
      mode: () => workbench.policy.mode,
      model: () => current,
      budget: () => conversation.budget,
      checkpoints: () => workbench.checkpoints,
    }
    const opening = {
      ...{ machine, at, choices, parts, ...as, signal, directories, loaded, closing },
      ...omitUndefined({ children: children?.(parent) }),
      tell: (fact: ElfStart | ElfEnd) => conversation.tell(fact),
      isTurn: () => conversation.isTurn(),
    }
    const records = await openRecords(opening)
    const { log, earlier, lastWritten, id } = records
    const systemPrompt = withPrompt(records.systemPrompt, agent)
    const mayName = choices.mayAskForTitle && id !== undefined && earlier === undefined
    const audit = withConsents(records.audit, consentsOf(loaded, choices))
    const transport = openTransport(machine, loaded.settings)
    closing.add(() => transport.close())
    const models = await openModels(opening, earlier, transport)
    const workbench = await open(opening, records, transport)
    const { policy, commands, executor, checkpoints, attended } = workbench
    const { maxReplyTokens, temperature } = choices
    const empty = worktree && submoduleNote(worktree, { isEmpty: true, where: 'in the worktree' })
    const lacks = empty === undefined ? [] : [empty]
    let current = models.choice
    const conversation = openEngine({
      agentId: agentOfSession(log.id),
      log,
      audit,
      ...omitUndefined({ messages: earlier?.messages, lastWritten, title: earlier?.title }),
      ...omitUndefined({ usage: earlier?.usage, costUsd: earlier?.costUsd, pending: earlier?.pending }),
      systemPrompt,
      // A copy has a log of its own.
      isPromptAudited:
        lastWritten !== undefined && earlier?.systemPrompt === systemPrompt && !beganAsAgent(earlier),
      model: models.choice,
      ...omitUndefined({
        savedModel: choices.model === asked.model ? undefined : usualModel(settled.settings, earlier),
      }),
      ...omitUndefined({ routing: models.routing, autoCompact: loaded.settings.compaction?.auto }),
      executor,
      ...omitUndefined({ checkpoints: turnsOf(checkpoints, { choices, parts, records }) }),
      attended,
      actor: agentOf(choices, agent?.definition.name, loaded.settings),
      clock: machine.clock,
      newId: machine.newId,
      random: machine.random,
      limits: choices.limits,
      ...omitUndefined({ budget: choices.budget, maxReplyTokens, temperature }),
      naming: {
        redact: records.redactTitle,
        ...omitUndefined({ model: mayName ? models.fast : undefined }),
      },
    })
    closing.add(() => conversation.close())
    closing.add(() => workbench.elves?.close())
    let { decide } = models
    const trust = auditedTrust(openTrustGate({ machine, directories, loaded, policy, signal }), audit)
    return {
      conversation,
      sessionId: id,
      get model() {
        return modelName(current)
      },
      decide: (request) => {
        if (decide === undefined) return
        current = decide(request)
        decide = undefined
        conversation.engine.send({ type: 'set_model', choice: current })
      },
      agent: agent?.definition.name,
      policy: auditedMode(agent?.bound(policy) ?? policy, audit),
      grants: () => policy.grants(),
      trust,
      noteOfMode: workbench.noteOf,
      openModel: async (text) => {
        current = await models.open(text)
        decide = undefined
        return current
      },
      contextWindow: models.contextWindow,
      blindModel: () => {
        const name = modelName(current)
        return decide === undefined && models.isBlind(name) ? name : undefined
      },
      thinking: {
        level: () => current.thinking,
        levels: () => levelsOf(infoOf(current)),
        set: (thinking) => {
          current = { ...current, thinking }
          decide = undefined
          conversation.engine.send({ type: 'set_model', choice: current })
        },
      },
      processes: workbench.processes,
      prompts: () => readOwnPrompts(config, { ...loaded.trust, trusted: trust.isTrusted }),
      config,
      stdin: loaded.settings.stdin,
      tui: loaded.settings.tui,
      files: records.files,
      mayRead: workbench.mayRead,
      warnings: [...(agent?.warnings ?? []), ...records.warnings, ...workbench.warnings, ...lacks],
      notices: [...models.notices, ...workbench.notices],
      fileTurns: new FileTurns(id, machine, commands),
      ...omitUndefined({ recall: records.recall, memories: records.memories, elves: workbench.elves }),
      ...(workbench.elves !== undefined && {
        agents: async () => (await import('./tools/elves.ts')).listAgents(config, loaded.trust, signal),
      }),
      mentionedSessions: new MentionedSessions(at),
      auditHead: () => records.audit.head,
      manifest: (sources, unattended) =>
        composeManifest(
          {
            ...{ choice: current, temperature, maxReplyTokens, systemPrompt },
            agent: agent?.definition.name,
            tools: executor.tools().filter(({ needsUser }) => unattended === undefined || needsUser !== true),
          },
          sources,
          at.cwd,
        ),
      close: () => closing.close(),
    }
  } catch (error) {
    await closing.close()
    throw error
  }
}

/** Returns the checkpoints whose turns the conversation begins and ends: not those of the conversation that opened it. */
function turnsOf(
  checkpoints: Checkpoints,
  { choices, parts, records }: Pick<WireContext, 'choices' | 'parts'> & { readonly records: Records },
): Checkpoints | undefined {
  if (parts.checkpoints !== undefined) return undefined
  return choices.interactive ? endingWith(records.indexTurn, checkpoints) : checkpoints
}

/** Adds the agent's prompt. The session keeps the prompt without it, because another run may have no agent. */
function withPrompt(systemPrompt: string, agent: RunAgent | undefined): string {
  const prompt = agent?.definition.prompt ?? ''
  return prompt === '' ? systemPrompt : `${systemPrompt}\n\n${prompt}`
}

/** Whether the first run of a session was one of an agent, whose prompt the audit log then holds instead of the session's. */
function beganAsAgent({ messages }: Session): boolean {
  const first = messages.find((message) => message.type === 'user')
  return first !== undefined && manifestOf(first)?.['agent'] !== undefined
}

/** Opens the agent of a run, if it has one. Most runs load nothing for it. */
async function openAgent(name: string | undefined, asked: AskedRun): Promise<RunAgent | undefined> {
  if (name === undefined) return undefined
  const { openRunAgent } = await import('./run-agent.ts')
  return openRunAgent(name, asked)
}
