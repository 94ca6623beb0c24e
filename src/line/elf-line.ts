import { oneLine } from '../characters/one-line.ts'
import { type ElfEnd, type ElfStart, elfOutcome } from '../elf.ts'
import { counted, formatUsd } from '../frontend/words/amount.ts'
import { isJsonObject, type JsonValue } from '../json-value.ts'
import type { ToolLook } from '../tool.ts'

/** Characters of what an elf is told. */
const promptLength = 100

/** Describes an elf that starts, in one line. */
export function describeElf({ name, agent, model, prompt }: ElfStart): string {
  return `${name} (${agent}, ${model}): ${oneLine(prompt, promptLength)}`
}

/** Describes the end of an elf in one line. */
export function describeElfEnd(end: ElfEnd): string {
  const { name, rounds, costUsd, reason = 'failed' } = end
  const cost = costUsd === undefined || costUsd === 0 ? [] : [formatUsd(costUsd)]
  const facts = [`${name}, ${counted(rounds, 'round')}`, ...cost].join(', ')
  const outcome = elfOutcome(end)
  return outcome === 'done' ? `✓ ${facts}` : `✗ ${facts}: ${outcome === 'stopped' ? outcome : reason}`
}

/** Whether a call starts an elf, whose own lines tell about it. */
export function startsElf({ display }: ToolLook, args: JsonValue): boolean {
  return display === 'elf' && isJsonObject(args) && (args['action'] ?? 'run') === 'run'
}

/** Whether the details of a result are those of an elf that has ended. */
export function isOfElf(details: JsonValue | undefined): boolean {
  return isJsonObject(details) && typeof details['elf'] === 'string'
}
