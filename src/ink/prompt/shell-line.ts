import type { Clock } from '../../clock.ts'
import { PipeError } from '../../error.ts'
import type { AgentEvent } from '../../event.ts'
import type { FrontendApi } from '../../frontend/conversation-view.ts'
import type { ShellEnd } from '../../frontend/shell-command.ts'
import type { AgentId } from '../../id.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { CleanEvents } from '../clean.ts'
import { keyHint } from '../keys/bindings.ts'
import type { Store } from '../store.ts'
import type { Tasks } from '../tasks.ts'
import { ownCommandName } from '../transcript/call-look.ts'

export interface ShellLineOptions {
  readonly store: Store
  readonly clock: Clock
  readonly api: FrontendApi
  readonly tasks: Tasks
}

type Fact = AgentEvent extends infer One
  ? One extends AgentEvent
    ? Omit<One, 'agentId' | 'seq'>
    : never
  : never

/** Runs commands that the user writes after `!`, and shows them as the model's commands are shown. */
export class ShellLine {
  readonly #options: ShellLineOptions
  #count = 0

  constructor(options: ShellLineOptions) {
    this.#options = options
  }

  /** Throws `input` where no command can run, and `conflict` while something else does. `onTaken` is called once it runs. */
  run(command: string, agentId: AgentId | undefined, onTaken: () => void): void | Promise<void> {
    const { store, api, tasks } = this.#options
    if (command === '') return
    const runShell = api.runShell?.bind(api)
    if (runShell === undefined || agentId === undefined) {
      throw new PipeError('input', 'this conversation runs on a server, so ! cannot run commands here')
    }
    if (store.screen.busySince !== undefined || tasks.isBusy) {
      const hint = keyHint(store.screen.bindings, 'interrupt', 'stops it')
      throw new PipeError('conflict', `your command can run when this has finished; ${hint}`)
    }
    onTaken()
    return tasks.run({
      doing: 'running your command',
      stoppedNote: 'your command was stopped',
      work: (signal) => this.#show(command, agentId, runShell(command, signal)),
    })
  }

  async #show(
    command: string,
    agentId: AgentId,
    running: ReturnType<NonNullable<FrontendApi['runShell']>>,
  ): Promise<undefined> {
    const { clock } = this.#options
    const callId = `own_${++this.#count}`
    const cleaning = new CleanEvents()
    const show = (fact: Fact) => this.#dispatch(cleaning.take({ ...fact, agentId, seq: 0 }))
    const begunAt = clock.monotonic()
    let output = ''
    show({ type: 'tool_start', callId, name: ownCommandName, arguments: { command } })
    const end = ({ isError, text, exitCode, lines, spill }: Omit<ShellEnd, 'durationMs'>) =>
      show({
        type: 'tool_end',
        callId,
        isError,
        content: [{ type: 'text', text }],
        details: { exit_code: exitCode, ...omitUndefined({ lines, spill }) },
        durationMs: clock.monotonic() - begunAt,
      })
    try {
      for (;;) {
        const step = await running.next()
        if (step.done === true) {
          end(step.value)
          return
        }
        output = (output + step.value.chunk).slice(-keptLength)
        show({ type: 'tool_output', callId, ...step.value })
      }
    } catch (error) {
      end({ isError: true, text: output, exitCode: null })
      throw error
    }
  }

  #dispatch(events: readonly AgentEvent[]): void {
    const { store, clock } = this.#options
    for (const event of events) store.dispatch({ type: 'agent', event, at: clock.monotonic() })
  }
}

/** Characters of the output that are shown of a command that was stopped. */
const keptLength = 8_000
