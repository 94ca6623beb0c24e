import { findRoot } from '../../../config/trust/project-root.ts'
import { PipeError } from '../../../error.ts'
import { contextTokensOf } from '../../../history/context-use.ts'
import type { JsonObject } from '../../../json-value.ts'
import type { CommandRunner } from '../../../machine/running-command.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { createCommandRunner } from '../../../process/command-runner.ts'
import type { Machine } from '../../machine.ts'
import { version } from '../../version.ts'
import { hookEnvironment } from '../../wiring/hooks/open-hooks.ts'
import { projectFolders } from '../../wiring/project-folders.ts'
import type { ConversationHolder } from '../conversation-holder.ts'

/** Time in ms for the command. */
const timeoutMs = 5_000
/** Bytes of its output that are read. */
const mostBytes = 16_384

/** The user's command for the status. Close it after the screen. */
export class StatusCommand {
  readonly #machine: Machine
  readonly #conversation: Pick<ConversationHolder, 'view' | 'wired'>
  readonly #openedAt: number
  #commands: CommandRunner | undefined

  constructor(machine: Machine, conversation: Pick<ConversationHolder, 'view' | 'wired'>) {
    this.#machine = machine
    this.#conversation = conversation
    this.#openedAt = machine.clock.monotonic()
  }

  /** Runs the command line and returns what it wrote. Throws `tool` if it fails or takes too long, `aborted`. */
  async run(line: string, { columns, signal }: { columns: number; signal: AbortSignal }): Promise<string> {
    const { clock, cwd, env, home } = this.#machine
    this.#commands ??= createCommandRunner({ clock, projectFolders: projectFolders(this.#machine) })
    const root = findRoot(cwd, ['.git', '.pipe'])
    const output = this.#commands.run(
      {
        file: 'bash',
        args: ['-c', line],
        cwd,
        env: { ...hookEnvironment(env, { home, root }), COLUMNS: String(columns) },
        timeoutMs,
        input: `${JSON.stringify(await this.#facts(root))}\n`,
      },
      { signal },
    )
    const written = { stdout: '', stderr: '' }
    const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() }
    for (;;) {
      const { done, value } = await output.next()
      if (done !== true) {
        const text = written[value.stream] + decoders[value.stream].decode(value.chunk, { stream: true })
        written[value.stream] = text.slice(0, mostBytes)
        continue
      }
      if (value.exitCode === 0) return written.stdout
      const [why = ''] = written.stderr.trim().split('\n', 1)
      const how = value.timedOut
        ? `it did not end within ${timeoutMs / 1_000} s`
        : `exit ${value.exitCode ?? 'by a signal'}`
      throw new PipeError('tool', why === '' ? how : `${how}: ${why}`)
    }
  }

  async close(): Promise<void> {
    await this.#commands?.close()
  }

  /** Describes the conversation in the fields that status lines of other agents get. */
  async #facts(root: string): Promise<JsonObject> {
    const { clock, cwd } = this.#machine
    const { wired } = this.#conversation
    const { sessionId } = wired
    const { conversation, agent, mode = 'default' } = this.#conversation.view()
    const model = wired.model()
    const last = conversation.messages.findLast((message) => message.type === 'assistant')?.usage
    const used = contextTokensOf(conversation.messages)
    const size = wired.contextWindow(model)
    const share = used === undefined || size === undefined ? undefined : Math.round((100 * used) / size)
    return {
      hook_event_name: 'Status',
      ...omitUndefined({
        session_id: sessionId,
        transcript_path: await wired.transcript(),
        session_name: wired.conversation.title,
      }),
      cwd,
      workspace: { current_dir: cwd, project_dir: root, added_dirs: [...wired.added] },
      model: { id: model, display_name: model.slice(model.indexOf('/') + 1) },
      version,
      output_style: { name: 'default' },
      permission_mode: mode,
      cost: {
        total_cost_usd: conversation.costUsd ?? 0,
        total_duration_ms: Math.round(clock.monotonic() - this.#openedAt),
      },
      context_window: omitUndefined({
        total_input_tokens: conversation.usage.inputTokens,
        total_output_tokens: conversation.usage.outputTokens,
        context_window_size: size,
        used_percentage: share,
        remaining_percentage: share === undefined ? undefined : 100 - share,
        current_usage: last && {
          input_tokens: last.inputTokens - (last.cacheReadTokens ?? 0) - (last.cacheWriteTokens ?? 0),
          output_tokens: last.outputTokens,
          cache_creation_input_tokens: last.cacheWriteTokens ?? 0,
          cache_read_input_tokens: last.cacheReadTokens ?? 0,
        },
      }),
      exceeds_200k_tokens: (used ?? 0) > 200_000,
      ...(agent !== undefined && { agent: { name: agent } }),
      ...omitUndefined({ effort: wired.thinking.level() && { level: wired.thinking.level() ?? '' } }),
    }
  }
}
