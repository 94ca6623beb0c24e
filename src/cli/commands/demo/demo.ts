import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { PipeError } from '../../../error.ts'
import type { AgentEvent } from '../../../event.ts'
import { fileError } from '../../../files/system-error.ts'
import { formatDuration } from '../../../frontend/words/duration.ts'
import { isJsonObject } from '../../../json-value.ts'
import type { Reporter } from '../../../line/reporter.ts'
import { describeCall } from '../../../line/tool-line.ts'
import { textContent } from '../../../message.ts'
import type { Outputs } from '../../../terminal/output.ts'
import { createScreenFilter, printable } from '../../../terminal/printable.ts'
import { visible } from '../../../terminal/visible.ts'
import { Flags } from '../../flags.ts'
import { oneShot } from '../../run/run-one-shot.ts'
import type { RunContext } from '../../run-context.ts'
import script from './script.json' with { type: 'json' }

/**
 * Runs a task on a small project in a temporary folder. Tools, edit and test runs are real; only the model is recorded.
 * Succeeds only if the tests fail before the edit and pass after it.
 */
export async function demo(context: RunContext): Promise<number> {
  const { host } = context
  const folder = await makeFolder()
  try {
    const project = join(folder, 'words')
    for (const [path, text] of Object.entries(script.files)) await put(join(project, path), text)
    const recording = join(folder, 'script.json')
    await put(recording, JSON.stringify(script))
    host.stdout.write(
      "The model's side of this conversation is recorded; the tools, the edit and the test runs are real.\n" +
        `The project is in ${project} until the demo ends.\n\n> ${script.prompt}\n\n`,
    )
    const flags = new Flags(
      new Map([
        ['model', [`replay/${recording}`]],
        ['permission-mode', ['bypass']],
        ['no-session', ['']],
        ['stdin', ['none']],
      ]),
    )
    const commands: boolean[] = []
    const reporter = transcript(host, commands)
    const { exitCode, error } = await oneShot({
      ...context,
      // Isolates the demo from the user's settings and records.
      host: { ...host, cwd: project, env: { ...host.env, PIPE_HOME: join(folder, 'home') } },
      flags,
      prompt: script.prompt,
      reporter,
    })
    if (error !== undefined) throw error
    if (commands[0] !== false || commands.at(-1) !== true) {
      throw new PipeError(
        'check',
        'the demo did not go as recorded: its tests must fail first and pass at the end',
      )
    }
    return exitCode
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function makeFolder(): Promise<string> {
  try {
    return await realpath(await mkdtemp(join(tmpdir(), 'pipe-demo-')))
  } catch (error) {
    throw fileError(error, tmpdir(), 'make a folder in')
  }
}

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}

/** Prints the whole conversation with tool results. Adds to `commands` whether each command succeeded. */
function transcript({ stdout }: Pick<Outputs, 'stdout'>, commands: boolean[]): Reporter {
  const calls = new Map<string, { readonly name: string; readonly line: string }>()
  const text = createScreenFilter()
  return {
    begin: () => undefined,
    event: (event) => {
      switch (event.type) {
        case 'text_delta':
          stdout.write(text.write(event.delta))
          return
        case 'message':
          if (event.message.type === 'assistant' && textContent(event.message) !== '')
            stdout.write(`${text.end()}\n\n`)
          return
        case 'tool_start':
          calls.set(event.callId, { name: event.name, line: describeCall(event.name, event.arguments) })
          return
        case 'tool_end': {
          const { name, line } = calls.get(event.callId) ?? { name: '', line: '' }
          if (name === 'bash') commands.push(!event.isError)
          stdout.write(`• ${visible(line)}  ${formatDuration(event.durationMs)}\n${indent(shown(event))}\n\n`)
          return
        }
        default:
          return
      }
    },
    end: () => undefined,
  }
}

/** Shows a call's result: its diff, or else the first lines of its output. */
function shown(event: Extract<AgentEvent, { type: 'tool_end' }>): string {
  const diff = isJsonObject(event.details) ? event.details['diff'] : undefined
  const text = typeof diff === 'string' ? diff : textContent(event)
  const lines = text.trimEnd().split('\n')
  const head = lines.slice(0, 12).join('\n')
  return printable(lines.length > 12 ? `${head}\n… ${lines.length - 12} more lines` : head)
}

function indent(text: string): string {
  return text.replace(/^/gm, '    ')
}
