import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Actor } from '../actor.ts'
import { type Conversation, createConversation } from '../agent/conversation.ts'
import defaultPrompt from '../agent/system.md'
import { type Directories, findDirectories } from '../config/directories.ts'
import { parseModelName } from '../config/model-name.ts'
import type { Settings } from '../config/settings.ts'
import type { ModelChoice } from '../engine.ts'
import { checkpointed } from '../git/checkpointed.ts'
import { createTransport } from '../http/transport.ts'
import { redactedStore } from '../json/redacted-store.ts'
import { createSessionStore } from '../json/session-store.ts'
import type { PermissionMode } from '../permission.ts'
import { guard } from '../policy/guard.ts'
import type { ModePolicy } from '../policy/policy.ts'
import { present } from '../present.ts'
import { createCommandRunner } from '../process/command-runner.ts'
import { createProcessTable } from '../process/process-table.ts'
import type { SessionStore } from '../session.ts'
import type { Flags } from './args.ts'
import { openAudit, openRedactor } from './audit-log.ts'
import { auditedMode, auditedTrust } from './audited-consent.ts'
import { openCheckpoints, takeNote } from './checkpoints.ts'
import { createHands } from './hands.ts'
import type { Host } from './host.ts'
import { openPolicy, ruleSaver } from './judge.ts'
import { readLimits } from './limits.ts'
import { chooseModel, lazyCatalog, openModel } from './model.ts'
import { hasControllingTerminal } from './question.ts'
import { openRecording } from './recording.ts'
import { openRouting } from './routing.ts'
import { rulesOf, warnOfRules } from './rules.ts'
import { openCommandSandbox } from './sandbox.ts'
import { chooseSession } from './session-choice.ts'
import { nameModelSource, openSettings } from './settings.ts'
import { openTrustGate, type TrustGate } from './trust-gate.ts'

/** Everything one conversation runs on, opened in order and closed in reverse. */
export interface Wired {
  readonly conversation: Conversation
  readonly sessionId: string | undefined
  /** `provider/model`. */
  readonly model: string
  /** Its mode may be set. */
  readonly policy: Pick<ModePolicy, 'mode'>
  /** What a person should know who chose this mode, once. */
  noteOfMode(mode: PermissionMode): Promise<string | undefined>
  /** Where a front end has a person say whether this folder is to be trusted. */
  readonly trust: TrustGate
  /** Another model for this conversation, `provider/model[:level]`. Throws `usage`, `config`, `auth`. */
  openModel(text: string): Promise<ModelChoice>
  /** Tokens that the context of a `provider/model` holds, where known. */
  contextWindow(model: string): number | undefined
  /** The user's folder of settings. */
  readonly config: string
  /** Whether the rules let a file be shown to the model. */
  mayRead(path: string): boolean
  /** A folder for files of this conversation; kept with its session, removed at the end where there is none. Made when needed. */
  readonly files: string
  readonly warnings: readonly string[]
  /** Undoes the last turn that changed files, or brings it back; says what became of them. Throws `input`, `conflict`. */
  undo(options: { readonly redo: boolean; readonly force: boolean }): Promise<string>
  /** What the model should be told with the next message, once. */
  takeNote(): string | undefined
  close(): Promise<void>
}

export interface WireOptions {
  readonly host: Host
  readonly flags: Flags
  readonly signal: AbortSignal
  /** A person sits at a front end that puts questions to them. Default: only where there is a terminal to ask on. */
  readonly interactive?: boolean
}

const self: Actor = {
  id: 'agent_pipe',
  kind: 'agent',
  displayName: 'pipe',
  capabilities: ['tool_read_file', 'tool_edit_file', 'tool_run_command', 'tool_fetch_url'],
}

export async function wire({ host, flags, signal, interactive = false }: WireOptions): Promise<Wired> {
  const directories = findDirectories(host.env, host.home)
  const loaded = await openSettings(host, flags, directories)
  const { settings, layers } = loaded
  const closing = new Closing()
  try {
    const scratch = nameScratch(host)
    closing.add(() => removeScratch(scratch))
    const systemPrompt = composeSystemPrompt(flags, settings)
    const redact = await openRedactor(host)
    const sessions = openSessions(host, directories)
    const store = settings.redact_sessions === true ? redactedStore(sessions, redact) : sessions
    const { log, earlier, id, warnings } = await chooseSession({ store, flags, host, systemPrompt, signal })
    closing.add(() => log.close())
    const audit = openAudit(host, log.id, redact)
    closing.add(() => audit.close())
    const transport = createTransport()
    closing.add(() => transport.close())
    const catalog = lazyCatalog(settings)
    const sources = { flags, settings, session: earlier, host, transport, signal, catalog }
    const model = await chooseModel(sources).catch(nameModelSource(layers, earlier))
    const [routing, known] = await Promise.all([openRouting(sources), catalog()])
    const recording = openRecording(flags.text('record'), host.cwd)
    closing.add(() => recording.save())
    const commands = createCommandRunner({ clock: host.clock })
    closing.add(() => commands.close())
    const { sandbox, inMode, noteOf } = await openCommandSandbox({
      ...{ host, settings, directories, commands, scratch },
      mayChangeMode: interactive,
    })
    closing.add(() => sandbox?.close())
    const processes = createProcessTable()
    closing.add(() => processes.close())
    const onTimeout = interactive ? 'background' : 'kill'
    const onAsk = interactive ? 'ask' : readOnAsk(flags)
    const given = {
      commands,
      ...present({ sandbox }),
      processes,
      transport,
      spillDir: scratch,
      onTimeout,
    } as const
    const files = id === undefined ? scratch : join(directories.sessions, `${id}.files`)
    const policy = await openPolicy(host, loaded, { roots: [scratch, files], sandboxed: inMode })
    const mayRead = (path: string) => !policy.forbidsReading(path)
    const hands = createHands(host, settings, { ...given, mayRead, interactive: onAsk === 'ask' })
    const checkpoints = openCheckpoints(host, commands, id)
    const note = await noteOf(policy.mode)
    const conversation = createConversation({
      log,
      audit,
      ...present({ messages: earlier?.messages, usage: earlier?.usage, costUsd: earlier?.costUsd, routing }),
      systemPrompt: flags.has('system-prompt') ? systemPrompt : (earlier?.systemPrompt ?? systemPrompt),
      model: recording.record(model),
      executor: guard(checkpointed(hands, checkpoints), {
        policy,
        newId: host.newId,
        onAsk,
        saveRules: ruleSaver(host, directories, signal),
      }),
      checkpoints,
      actor: self,
      clock: host.clock,
      newId: host.newId,
      random: host.random,
      ...readLimits(flags),
    })
    return {
      conversation,
      sessionId: id,
      model: `${model.provider.name}/${model.model}`,
      policy: auditedMode(policy, audit),
      trust: auditedTrust(openTrustGate({ host, directories, loaded, policy, signal }), audit),
      noteOfMode: noteOf,
      openModel: async (text) => recording.record(await openModel(text, sources)),
      contextWindow: (name) => {
        const { provider, model } = parseModelName(name)
        return known.find(provider, model)?.contextWindow
      },
      config: directories.config,
      files,
      mayRead,
      warnings: [
        ...warnings,
        ...(note === undefined ? [] : [note]),
        ...warnOfRules(
          rulesOf(layers),
          hands.tools().map(({ name }) => name),
        ),
      ],
      undo: async (wanted) => {
        const { undoIn } = await import('./turn-back.ts')
        return undoIn(id, { ...wanted, host, commands, signal })
      },
      takeNote: () => (id === undefined ? undefined : takeNote(host, id)),
      close: () => closing.close(),
    }
  } catch (error) {
    await closing.close()
    throw error
  }
}

/** What was opened, closed in reverse, each once. */
class Closing {
  readonly #steps: (() => Promise<void> | void)[] = []

  add(step: () => Promise<void> | void): void {
    this.#steps.push(step)
  }

  /** Takes every step, also after one that failed, and throws what failed. */
  async close(): Promise<void> {
    const step = this.#steps.pop()
    if (step === undefined) return
    try {
      await step()
    } finally {
      await this.close()
    }
  }
}

export function openSessions(
  { clock, pid, hostname, env, home }: Host,
  directories: Directories = findDirectories(env, home),
): SessionStore {
  return createSessionStore({ directory: directories.sessions, clock, pid, host: hostname })
}

/** A name nobody can guess, for a folder that whoever needs it first makes. */
function nameScratch({ newId }: Host): string {
  return join(tmpdir(), `pipe-${newId.message()}`)
}

async function removeScratch(path: string): Promise<void> {
  if (existsSync(path)) await rm(path, { recursive: true, force: true })
}

function composeSystemPrompt(flags: Flags, settings: Settings): string {
  const base = settings.system_prompt ?? defaultPrompt.trim()
  const more = flags.text('append-system-prompt')
  return more === undefined ? base : `${base}\n\n${more}`
}

function readOnAsk(flags: Flags): 'ask' | 'deny' | 'stop' {
  if (hasControllingTerminal()) return 'ask'
  return flags.text('on-ask') === 'stop' ? 'stop' : 'deny'
}
