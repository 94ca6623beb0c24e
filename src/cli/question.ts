import { closeSync, openSync } from 'node:fs'
import type { Interaction, InteractionResponse } from '../interaction.ts'
import { isJsonObject } from '../json-value.ts'
import { present } from '../present.ts'
import { visible } from '../terminal/visible.ts'

/** Reads one line from a person; `undefined` when they leave or the signal fires. */
export type AskLine = (question: string, signal: AbortSignal) => Promise<string | undefined>

/** Puts an interaction to a person as numbered choices. Anything that is no clear choice is the default: no. */
export async function answer(
  interaction: Interaction,
  askLine: AskLine,
  signal: AbortSignal,
): Promise<InteractionResponse> {
  const { id: interactionId, options = [], display } = interaction
  const choices = options.map((option, i) => `  ${i + 1} ${option.label}`).join('\n')
  const shown = [display.title, display.description, render(interaction)].filter((line) => line !== undefined)
  const question = `\n${visible(shown.join('\n'))}\n${visible(choices)}\n  or type what to do instead\n> `
  const said = await askLine(question, signal)
  const answeredBy = 'user_local'
  if (said === undefined) return { interactionId, answeredBy, cancelled: true }
  const text = said.trim()
  const chosen =
    options[Number(text) - 1] ??
    options.find((option) => option.id === text.toLowerCase()) ??
    (/^y(es)?$/i.test(text) ? options[0] : options.find((option) => option.isDefault === true))
  const comment = chosen?.isDefault === true && !/^(\d*|no?|deny)$/i.test(text) ? text : undefined
  return { interactionId, answeredBy, ...present({ selectedOptionId: chosen?.id, comment }) }
}

/** The whole of what is to be allowed, so that nothing hides behind a cut. No line of a value looks like a line of ours. */
function render({ display: { content, contentKind } }: Interaction): string | undefined {
  if (content === undefined) return undefined
  if (contentKind !== 'json' || !isJsonObject(content)) return String(content)
  return Object.entries(content)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .map((field) => `  ${field.replaceAll('\n', '\n    ')}`)
    .join('\n')
}

/** Whether a person sits behind this process, whatever stdin and stdout are. */
export function hasControllingTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r+'))
    return true
  } catch {
    return false
  }
}

/** Asks on the controlling terminal, as ssh and sudo do. */
export const askOnTerminal: AskLine = async (question, signal) => {
  const { createInterface } = await import('node:readline/promises')
  const { ReadStream, WriteStream } = await import('node:tty')
  // A file stream would hang in a read that only another line from the person ends.
  const input = new ReadStream(openSync('/dev/tty', 'r'))
  const output = new WriteStream(openSync('/dev/tty', 'w'))
  const lines = createInterface({ input, output, terminal: false })
  const closed = new Promise<undefined>((resolve) => lines.once('close', () => resolve(undefined)))
  try {
    return await Promise.race([lines.question(question, { signal }), closed])
  } catch (error) {
    if (signal.aborted) return undefined
    throw error
  } finally {
    lines.close()
    input.destroy()
    output.end()
  }
}
