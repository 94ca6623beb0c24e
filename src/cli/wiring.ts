import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Actor } from '../actor.ts'
import { type Conversation, createConversation } from '../agent/conversation.ts'
import defaultPrompt from '../agent/system.md'
import { createBuiltinExecutor } from '../builtin/executor.ts'
import { type Directories, findDirectories } from '../config/directories.ts'
import { thinkingLevels } from '../config/model-name.ts'
import { permissionModes, readSettings, type Settings } from '../config/settings.ts'
import { createDiskStore } from '../files/disk-store.ts'
import { createTransport } from '../http/transport.ts'
import { createSessionStore } from '../json/session-store.ts'
import type { PermissionMode } from '../permission.ts'
import { guard } from '../policy/guard.ts'
import { createPolicy } from '../policy/policy.ts'
import { present } from '../present.ts'
import { createCommandRunner } from '../process/command-runner.ts'
import type { ThinkingLevel } from '../provider.ts'
import type { SessionStore } from '../session.ts'
import type { Flags } from './args.ts'
import type { Host } from './host.ts'
import { chooseModel } from './model.ts'
import { hasControllingTerminal } from './question.ts'
import { chooseSession } from './session-choice.ts'

/** Everything one conversation runs on, opened in order and closed in reverse. */
export interface Wired {
  readonly conversation: Conversation
  readonly sessionId: string | undefined
  /** `provider/model`. */
  readonly model: string
  readonly warnings: readonly string[]
  close(): Promise<void>
}

export interface WireOptions {
  readonly host: Host
  readonly flags: Flags
  readonly directories: Directories
  /** A folder for the run's own files; made when first needed and removed at the end. */
  readonly scratch: string
  readonly signal: AbortSignal
}

const self: Actor = {
  id: 'agent_pipe',
  kind: 'agent',
  displayName: 'pipe',
  capabilities: ['tool_read_file', 'tool_edit_file', 'tool_run_command'],
}

export async function wire(options: WireOptions): Promise<Wired> {
  const { host, flags, directories, scratch, signal } = options
  const { clock, newId, random } = host
  const settings = await readSettings(join(directories.config, 'config.json'))
  const closing: (() => Promise<void> | void)[] = []
  const close = async () => {
    for (const step of closing.splice(0).reverse()) await step()
  }
  try {
    const systemPrompt = composeSystemPrompt(flags, settings)
    const session = await chooseSession({
      store: openSessions(host, directories),
      flags,
      host,
      systemPrompt,
      signal,
    })
    closing.push(() => session.log.close())
    const transport = createTransport()
    closing.push(() => transport.close())
    const commands = createCommandRunner({ clock })
    closing.push(() => commands.close())
    const { earlier } = session
    const flag = flags.text('model')
    const model = await chooseModel({ flag, settings, session: earlier, host, transport, signal })
    const thinking = readThinking(flags) ?? model.thinking
    const executor = createBuiltinExecutor({
      artifacts: createDiskStore(),
      commands,
      clock,
      cwd: host.cwd,
      home: host.home,
      env: host.env,
      spillDir: scratch,
    })
    const conversation = createConversation({
      log: session.log,
      ...present({ messages: earlier?.messages, usage: earlier?.usage }),
      systemPrompt: flags.has('system-prompt') ? systemPrompt : (earlier?.systemPrompt ?? systemPrompt),
      model: { ...model, ...present({ thinking }) },
      executor: guard(executor, {
        policy: createPolicy(readMode(flags, settings)),
        newId,
        onAsk: readOnAsk(flags),
      }),
      actor: self,
      clock,
      newId,
      random,
      ...readLimits(flags),
    })
    return {
      conversation,
      sessionId: session.id,
      model: `${model.provider.name}/${model.model}`,
      warnings: session.warnings,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

export function openSessions(host: Host, directories: Directories): SessionStore {
  const { clock, pid, hostname } = host
  return createSessionStore({ directory: directories.sessions, clock, pid, host: hostname })
}

export function openDirectories({ env, home }: Host): Directories {
  return findDirectories(env, home)
}

/** Names a folder that nobody can guess; whoever needs it first makes it. `close` removes it. */
export function openScratch({ newId }: Host): { readonly path: string; close(): Promise<void> } {
  const path = join(tmpdir(), `pipe-${newId.message()}`)
  return {
    path,
    close: async () => {
      if (existsSync(path)) await rm(path, { recursive: true, force: true })
    },
  }
}

function composeSystemPrompt(flags: Flags, settings: Settings): string {
  const base = flags.text('system-prompt') ?? settings.system_prompt ?? defaultPrompt.trim()
  const more = flags.text('append-system-prompt')
  return more === undefined ? base : `${base}\n\n${more}`
}

function readMode(flags: Flags, settings: Settings): PermissionMode {
  if (flags.has('yolo')) return 'bypass'
  const given = flags.text('permission-mode') ?? settings.permissions?.mode
  return permissionModes.find((mode) => mode === given) ?? 'default'
}

function readOnAsk(flags: Flags): 'ask' | 'deny' | 'stop' {
  if (hasControllingTerminal()) return 'ask'
  return flags.text('on-ask') === 'stop' ? 'stop' : 'deny'
}

function readThinking(flags: Flags): ThinkingLevel | undefined {
  const given = flags.text('thinking')
  return thinkingLevels.find((level) => level === given)
}

function readLimits(flags: Flags) {
  const whole = (value: number) => Number.isInteger(value) && value > 0
  return present({
    maxRounds: flags.number('max-turns', whole, 'a whole number above 0'),
    maxTokens: flags.number('max-tokens', whole, 'a whole number above 0'),
    temperature: flags.number('temperature', (value) => value >= 0 && value <= 2, 'a number from 0 to 2'),
  })
}
