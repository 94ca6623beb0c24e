import { oneLine } from '../../../characters/one-line.ts'
import { elfOutcome } from '../../../elf.ts'
import { callTarget } from '../../../frontend/words/call-target.ts'
import type { JsonObject } from '../../../json-value.ts'
import { objects, text } from '../../../wire/json-fields.ts'
import { joinedText } from './message-entries.ts'
import type { PageElf } from './page-entry.ts'

/** Longest account of what an elf does, in characters. */
const mostTold = 200

export function hasElf(elves: readonly PageElf[], id: string): boolean {
  return elves.some((elf) => elf.id === id)
}

/** Adds an elf that begins its work. */
export function beginElf(elves: readonly PageElf[], line: JsonObject): readonly PageElf[] {
  const elf: PageElf = {
    id: text(line['elf_id']),
    callId: text(line['call_id']),
    name: text(line['name']),
    agent: text(line['agent']),
    model: text(line['model']),
    prompt: text(line['prompt']),
    state: 'working',
    doing: '',
    calls: 0,
    reason: '',
    isBackground: line['background'] === true,
    sessionId: text(line['session_id']),
  }
  return [...elves.filter(({ id }) => id !== elf.id), elf]
}

/** Reads the elves that a server lists, for a page that missed their start. */
export function readElves(answer: JsonObject): readonly PageElf[] {
  return objects(answer['elves']).reduce<readonly PageElf[]>((elves, row) => {
    const added = beginElf(elves, row)
    return row['state'] === 'done' ? change(added, text(row['elf_id']), () => ({ state: 'done' })) : added
  }, [])
}

/** Ends an elf. */
export function endElf(elves: readonly PageElf[], line: JsonObject): readonly PageElf[] {
  const reason = text(line['reason'])
  const state = elfOutcome({ stopReason: text(line['stop_reason']), reason: reason || undefined })
  const sessionId = text(line['session_id'])
  return change(elves, text(line['elf_id']), (elf) => ({
    state,
    reason,
    sessionId: sessionId || elf.sessionId,
  }))
}

/** Folds an event of an elf. */
export function reduceElf(elves: readonly PageElf[], id: string, line: JsonObject): readonly PageElf[] {
  switch (line['type']) {
    case 'tool_start': {
      const name = text(line['name'])
      const target = callTarget(line['arguments'] ?? null)
      const doing = oneLine(`${name} ${target}`, mostTold)
      return change(elves, id, ({ calls }) => ({ doing, calls: calls + 1 }))
    }
    case 'text_delta':
      return change(elves, id, ({ doing }) => ({ doing: (doing + text(line['delta'])).slice(-mostTold) }))
    case 'round_start':
      return change(elves, id, () => ({ doing: '' }))
    case 'message': {
      const message = line['message']
      const said = typeof message === 'object' && message !== null && 'content' in message
      const words = said ? joinedText(message['content']).trim() : ''
      const isReply = said && message['type'] === 'assistant' && words !== ''
      return isReply ? change(elves, id, () => ({ doing: oneLine(words, mostTold) })) : elves
    }
    case 'interaction_requested':
      return change(elves, id, () => ({ doing: 'asks you' }))
    default:
      return elves
  }
}

function change(
  elves: readonly PageElf[],
  id: string,
  changed: (elf: PageElf) => Partial<PageElf>,
): readonly PageElf[] {
  return elves.map((elf) => (elf.id === id ? { ...elf, ...changed(elf) } : elf))
}
